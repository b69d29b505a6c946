import type { Game } from '../api/types';
import { listOfGame } from '../games/game_address';
import { Link } from '../state/router';
import { grouped } from '../ui/format';
import { Icon } from '../ui/icons';
import type { Neighbours } from './use_neighbours';

interface BarProps {
  archive: string;
  game: Game;
  query: URLSearchParams;
  neighbours: Neighbours;
}

function Step({
  to,
  label,
  icon,
}: {
  to: string | undefined;
  label: string;
  icon: 'previous' | 'next';
}) {
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

/** The way to the list and to other games. */
export function GameBar({ archive, game, query, neighbours }: BarProps) {
  return (
    <nav class="game-bar" aria-label="Games">
      <Link href={listOfGame(archive, query)}>← Games</Link>
      <span class="quiet">Game {grouped(game.number)}</span>
      <Step to={neighbours.previous} label="Previous game ([)" icon="previous" />
      <Step to={neighbours.next} label="Next game (])" icon="next" />
    </nav>
  );
}
