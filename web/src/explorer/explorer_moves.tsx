import { useEffect } from 'preact/hooks';
import type { Counts, Explorer, ExplorerMove } from '../api/types';
import { usePreference } from '../state/preferences';
import { grouped, percent } from '../ui/format';
import { ResultBar } from '../ui/result_bar';
import { San } from '../ui/san';

interface MovesProps {
  fen: string;
  answer: Explorer;
  /** How many games end at the position; undefined if that is not known. */
  ended: number | undefined;
  onPlay: (uci: string) => void;
  onPoint: (uci: string | undefined) => void;
}

/** The number of games with a result. */
export const sum = ({ white, draws, black }: Counts) => white + draws + black;

/** The moves played in a position, with their results. */
export function ExplorerMoves({ fen, answer, ended = 0, onPlay, onPoint }: MovesProps) {
  const [notation] = usePreference('notation');
  const whole = sum(answer);
  // The arrow belongs to the position in which it was pointed at.
  useEffect(() => () => onPoint(undefined), [fen]);
  const row = (move: ExplorerMove) => (
    <tr
      key={move.uci}
      onMouseEnter={() => onPoint(move.uci)}
      onMouseLeave={() => onPoint(undefined)}
    >
      <td class="explorer-move">
        <button
          type="button"
          onClick={() => onPlay(move.uci)}
          onFocus={() => onPoint(move.uci)}
          onBlur={() => onPoint(undefined)}
        >
          <San san={move.san} hasFigurines={notation === 'figurines'} />
        </button>
      </td>
      <td class="number quiet share">{percent(sum(move), whole)}</td>
      <td class="number game-count">{grouped(sum(move))}</td>
      <td class="bar">
        <ResultBar {...move} />
      </td>
      <td class="number quiet elo">{move.averageRating ?? ''}</td>
    </tr>
  );
  return (
    <table class="explorer-moves">
      <thead>
        <tr>
          <th scope="col">Move</th>
          <td class="share" />
          <th scope="col" class="number">
            Games
          </th>
          <th scope="col">Results</th>
          <th scope="col" class="number elo" title="Average rating">
            <span class="share">Avg. </span>Elo
          </th>
        </tr>
      </thead>
      <tbody>{answer.moves.map(row)}</tbody>
      <tfoot>
        {ended > 0 && (
          <tr>
            <th scope="row" title="Games whose last move leads to this position">
              <span class="share">Game ends here</span>
              <span class="short">Ends here</span>
            </th>
            <td class="share" />
            <td class="number game-count">{grouped(ended)}</td>
            <td class="bar" />
            <td class="elo" />
          </tr>
        )}
        <tr>
          <th scope="row">{ended > 0 ? 'All games' : 'All moves'}</th>
          <td class="share" />
          <td class="number game-count">{grouped(whole + ended)}</td>
          <td class="bar">{whole > 0 && <ResultBar {...answer} />}</td>
          <td class="elo" />
        </tr>
      </tfoot>
    </table>
  );
}
