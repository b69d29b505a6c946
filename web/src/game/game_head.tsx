import type { Game } from '../api/types';
import { tagOf } from '../chess/tree';
import { known, playerName, shownDate, shownResult } from '../ui/format';

/** Who played, where, when and what. */
export function GameHead({ game }: { game: Game }) {
  const tag = (name: string) => known(tagOf(game, name));
  const round = tag('Round');
  const details = [
    shownDate(tag('Date') || tag('UTCDate')),
    tag('Site').replace(/^https?:\/\//, ''),
    round && `round ${round}`,
    tag('TimeControl'),
    tag('Variant'),
  ].filter(Boolean);
  const opening = [tag('ECO'), tag('Opening')].filter(Boolean).join(' · ');
  return (
    <header class="game-head">
      <h1 dir="auto">
        <bdi>{playerName(tagOf(game, 'White'))}</bdi>
        <span class="result">{shownResult(game.result)}</span>
        <bdi>{playerName(tagOf(game, 'Black'))}</bdi>
      </h1>
      {tag('Event') && (
        <p class="event" dir="auto">
          {tag('Event')}
        </p>
      )}
      {details.length > 0 && (
        <p class="quiet details">
          {details.map((detail) => (
            <bdi key={detail}>{detail}</bdi>
          ))}
        </p>
      )}
      {opening && (
        <p class="opening" dir="auto">
          {opening}
        </p>
      )}
    </header>
  );
}
