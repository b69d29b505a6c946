import { Chessground } from '@lichess-org/chessground';
import type { Color } from '@lichess-org/chessground/types';
import { useEffect, useRef } from 'preact/hooks';

/** A small board that only shows a position. */
export function MiniBoard({ fen, orientation = 'white' }: { fen: string; orientation?: Color }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!element.current) return;
    const board = Chessground(element.current, {
      fen,
      orientation,
      viewOnly: true,
      coordinates: false,
      drawable: { enabled: false, visible: false },
    });
    return () => board.destroy();
  }, [fen, orientation]);
  return <div ref={element} class="mini-board" aria-hidden="true" />;
}
