import type { Color, Role } from 'chessops/types';
import { createElement } from 'preact';

/** A picture of a piece. The style sheet of the board has it for this element within this class. */
export function Piece({ color, role }: { color: Color; role: Role }) {
  return (
    <span class="cg-wrap palette-piece" aria-hidden="true">
      {createElement('piece', { class: `${color} ${role}` })}
    </span>
  );
}
