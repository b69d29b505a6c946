import type { Color } from 'chessops/types';
import { Dialog } from '../ui/dialog';
import { Piece } from '../ui/piece';

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
            <Piece color={color} role={piece} />
          </button>
        ))}
      </div>
    </Dialog>
  );
}
