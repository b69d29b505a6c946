import type { Game } from '../api/types';
import { tagOf } from '../chess/tree';
import { listOfGame } from '../games/game_address';
import { Link } from '../state/router';
import { grouped, known, shownDate, shownResult } from '../ui/format';
import { Icon } from '../ui/icons';
import type { Neighbours } from './use_neighbours';

interface HeadProps {
  archive: string;
  game: Game;
  query: URLSearchParams;
  neighbours: Neighbours;
}

function Step({ to, label, icon }: { to: string | undefined; label: string; icon: 'previous' | 'next' }) {
  if (!to) {
    return (
      <span class="icon-button" aria-disabled="true">
        <Icon name={icon} />
      </span>
    );
  }
  return (
    <Link class="icon-button" href={to} aria-label={label} title={label}>
      <Icon name={icon} />
    </Link>
  );
}

/** What was played, where and when, and the way to other games. */
export function GameHead({ archive, game, query, neighbours }: HeadProps) {
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
      <div class="game-head-bar">
        <Link href={listOfGame(archive, query)}>← Games</Link>
        <span class="quiet">Game {grouped(game.number)}</span>
        <Step to={neighbours.previous} label="Previous game ([)" icon="previous" />
        <Step to={neighbours.next} label="Next game (])" icon="next" />
      </div>
      <h1 dir="auto">
        <bdi>{tagOf(game, 'White') ?? '?'}</bdi>
        <span class="result">{shownResult(game.result)}</span>
        <bdi>{tagOf(game, 'Black') ?? '?'}</bdi>
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
