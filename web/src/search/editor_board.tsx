import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Color, Key, Piece } from '@lichess-org/chessground/types';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../ui/icons';
import { Piece as Picture } from '../ui/piece';

interface EditorProps {
  /** The board part of a FEN. */
  board: string;
  orientation: Color;
  label: string;
  onChange: (board: string) => void;
}

const ROLES = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'] as const;

/** What a click on a square does: sets a piece, takes one away; undefined moves pieces. */
type Tool = Piece | 'remove' | undefined;

const isSame = (a: Tool, b: Tool) =>
  typeof a === 'object' && typeof b === 'object'
    ? a.color === b.color && a.role === b.role
    : a === b;

/** A board on which pieces are set: dragged from a palette, or chosen there and clicked down. */
export function EditorBoard({ board, orientation, label, onChange }: EditorProps) {
  const element = useRef<HTMLDivElement>(null);
  const api = useRef<Api | undefined>(undefined);
  const latest = useRef({ onChange });
  latest.current = { onChange };
  const isDragging = useRef(false);
  const [tool, setTool] = useState<Tool>();

  useEffect(() => {
    if (!element.current) return;
    const made = Chessground(element.current, {
      fen: board,
      orientation,
      movable: { free: true, color: 'both' },
      draggable: { enabled: true, deleteOnDropOff: true, showGhost: true },
      premovable: { enabled: false },
      drawable: { enabled: false },
      animation: { enabled: false },
      events: { change: () => latest.current.onChange(made.getFen()) },
    });
    api.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => {
    if (api.current && api.current.getFen() !== board) api.current.set({ fen: board });
    api.current?.set({ orientation });
  }, [board, orientation]);

  const useTool = (event: PointerEvent | MouseEvent | TouchEvent) => {
    const made = api.current;
    if (!tool || !made) return;
    event.stopPropagation();
    event.preventDefault();
    const point = 'touches' in event ? event.touches[0] : event;
    const key = point && made.getKeyAtDomPos([point.clientX, point.clientY]);
    if (!key) return;
    made.setPieces(new Map<Key, Piece | undefined>([[key, wanted(made, key, tool)]]));
    onChange(made.getFen());
  };
  const choose = (chosen: Tool) => setTool(isSame(tool, chosen) ? undefined : chosen);
  const drag = (piece: Piece, event: MouseEvent | TouchEvent) => {
    if (!tool) api.current?.dragNewPiece(piece, event as never, true);
  };

  // A touch that moves drags the piece; one that does not is a click, which chooses it.
  const dragOnce = (piece: Piece, event: TouchEvent) => {
    if (!isDragging.current) drag(piece, event);
    isDragging.current = true;
  };

  const palette = (color: Color) => (
    <div
      class="palette"
      role="group"
      aria-label={`${color === 'white' ? 'White' : 'Black'}'s pieces`}
    >
      {ROLES.map((role) => (
        <button
          key={role}
          type="button"
          aria-label={`${color} ${role}`}
          aria-pressed={isSame(tool, { color, role })}
          onClick={() => choose({ color, role })}
          onMouseDown={(event) => drag({ color, role }, event)}
          onTouchStart={() => {
            isDragging.current = false;
          }}
          onTouchMove={(event) => dragOnce({ color, role }, event)}
        >
          <Picture color={color} role={role} />
        </button>
      ))}
      {color === orientation && (
        <button
          type="button"
          aria-label="Take pieces off"
          title="Take pieces off"
          aria-pressed={tool === 'remove'}
          onClick={() => choose('remove')}
        >
          <Icon name="trash" />
        </button>
      )}
    </div>
  );
  const other = orientation === 'white' ? 'black' : 'white';
  return (
    <div class={`editor ${tool ? 'has-tool' : ''}`}>
      {palette(other)}
      <div class="board" role="img" aria-label={label}>
        <div
          class="board-squares"
          onMouseDownCapture={useTool}
          onTouchStartCapture={useTool}
          ref={element}
        />
      </div>
      {palette(orientation)}
    </div>
  );
}

/** What a tool leaves on a square: the same piece once more is taken away. */
function wanted(api: Api, key: Key, tool: Piece | 'remove'): Piece | undefined {
  if (tool === 'remove') return undefined;
  const piece = api.state.pieces.get(key);
  return isSame(piece, tool) ? undefined : tool;
}
