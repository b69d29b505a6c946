import type { ExplorerGame } from '../api/types';
import { href, withParams } from '../state/route';
import { Link } from '../state/router';
import { PlayerName } from '../ui/player_name';

interface GamesProps {
  archive: string;
  /** The position at which the games open. */
  fen: string;
  title: string;
  games: ExplorerGame[] | undefined;
}

const RESULTS = { white: '1–0', black: '0–1' };

/** The number of a game in its archive: that of `2-17`, game 17 of the second archive, is 17. */
const numberOf = (id: string) => id.split('-').at(-1) ?? id;

export function ExplorerGames({ archive, fen, title, games = [] }: GamesProps) {
  if (games.length === 0) return null;
  const query = withParams(new URLSearchParams(), { fen });
  return (
    <section class="explorer-games">
      <h2>{title}</h2>
      <ul>
        {games.map(({ id, white, black, winner, year }) => (
          <li key={id}>
            <Link href={href(archive, 'game', numberOf(id), query)}>
              <span class="pair">
                <PlayerName name={white.name} elo={white.rating} />
                <PlayerName name={black.name} elo={black.rating} />
              </span>
              <span class="result">{winner ? RESULTS[winner] : '½–½'}</span>
              <span class="quiet number">{year ?? ''}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
