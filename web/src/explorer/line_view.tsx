import { moveNumber } from '../chess/notation';
import { usePreference } from '../state/preferences';
import { San } from '../ui/san';
import type { LineMove } from './use_line';

interface LineProps {
  moves: LineMove[];
  at: number;
  onGo: (at: number) => void;
}

/** The moves on the analysis board. */
export function LineView({ moves, at, onGo }: LineProps) {
  const [notation] = usePreference('notation');
  if (moves.length === 0)
    return <p class="line quiet">Play a move on the board or choose one from the table.</p>;
  return (
    <p class="line">
      {moves.map(({ san, ply, uci }, index) => (
        <button
          key={`${index}${uci}`}
          type="button"
          class="move"
          aria-current={index + 1 === at ? 'step' : undefined}
          onClick={() => onGo(index + 1)}
        >
          {(ply % 2 === 1 || index === 0) && <span class="move-number">{moveNumber(ply)} </span>}
          <span class="san">
            <San san={san} hasFigurines={notation === 'figurines'} />
          </span>
        </button>
      ))}
    </p>
  );
}
