import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Config } from '@lichess-org/chessground/config';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Color, Key } from '@lichess-org/chessground/types';
import { useEffect, useRef } from 'preact/hooks';

export interface BoardProps {
  fen: string;
  orientation: Color;
  /** The position in words. */
  label: string;
  turn?: Color | undefined;
  lastMove?: Key[] | undefined;
  isCheck?: boolean | undefined;
  /** Legal moves; a board without them only shows the position. */
  destinations?: Map<Key, Key[]> | undefined;
  shapes?: DrawShape[] | undefined;
  onMove?: ((from: Key, to: Key) => void) | undefined;
  onWheel?: ((event: WheelEvent) => void) | undefined;
}

const prefersStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

function config(props: BoardProps, move: (from: Key, to: Key) => void): Config {
  const isPlayable = props.destinations !== undefined;
  return {
    fen: props.fen,
    orientation: props.orientation,
    ...(props.turn ? { turnColor: props.turn } : {}),
    lastMove: props.lastMove ?? [],
    check: props.isCheck ?? false,
    coordinates: true,
    viewOnly: false,
    animation: { enabled: !prefersStill(), duration: 180 },
    movable: {
      free: false,
      ...(isPlayable ? { color: 'both' as const } : {}),
      dests: props.destinations ?? new Map(),
      showDests: true,
      events: { after: move },
    },
    draggable: { enabled: isPlayable },
    selectable: { enabled: isPlayable },
    premovable: { enabled: false },
    drawable: { enabled: true, autoShapes: props.shapes ?? [] },
    // Without moves to make, a swipe over the board scrolls the page.
    blockTouchScroll: isPlayable,
  };
}

/** The board of chessground. */
export function Board(props: BoardProps) {
  const element = useRef<HTMLDivElement>(null);
  const board = useRef<Api | undefined>(undefined);
  const onMove = useRef(props.onMove);
  onMove.current = props.onMove;

  useEffect(() => {
    const move = (from: Key, to: Key) => onMove.current?.(from, to);
    if (board.current) board.current.set(config(props, move));
    else if (element.current) board.current = Chessground(element.current, config(props, move));
  });
  useEffect(() => () => board.current?.destroy(), []);

  return (
    <div class="board" role="img" aria-label={props.label} onWheel={props.onWheel}>
      <div ref={element} class="board-squares" />
    </div>
  );
}
