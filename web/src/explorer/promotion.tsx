import type { Color } from 'chessops/types';
import { Dialog } from '../ui/dialog';

const PIECES = ['queen', 'rook', 'bishop', 'knight'] as const;
export type Promotion = (typeof PIECES)[number];

interface PromotionProps {
  color: Color;
  onChoose: (piece: Promotion) => void;
  onClose: () => void;
}

/** Asks what a pawn becomes. */
export function PromotionDialog({ color, onChoose, onClose }: PromotionProps) {
  return (
    <Dialog title="The pawn becomes" onClose={onClose}>
      <div class="palette">
        {PIECES.map((piece) => (
          <button key={piece} type="button" aria-label={piece} onClick={() => onChoose(piece)}>
            <span class={`palette-piece ${color} ${piece}`} />
          </button>
        ))}
      </div>
    </Dialog>
  );
}
