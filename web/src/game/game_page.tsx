import { archiveUrl } from '../api/client';
import type { Game } from '../api/types';
import { useRequest } from '../api/use_request';
import type { PageProps } from '../app';
import { listOfGame } from '../games/game_address';
import { Link } from '../state/router';
import { grouped } from '../ui/format';
import { ErrorNote, Loading } from '../ui/states';
import { GameView } from './game_view';

/** A game of the archive. */
export function GamePage({ archive, route, number }: PageProps & { number: number }) {
  const url = archiveUrl(archive.name, `/games/${number}`);
  const { data: game, error, isLoading } = useRequest<Game>(url);
  if (error) {
    return (
      <ErrorNote
        title={
          error.status === 404
            ? `There is no game ${grouped(number)}`
            : `Game ${grouped(number)} cannot be read`
        }
        error={error}
        isPage
      >
        <p>
          <Link class="button" href={listOfGame(archive.name, route.query)}>
            To the list
          </Link>
        </p>
      </ErrorNote>
    );
  }
  if (!game) return <Loading />;
  // The last game remains until the next one is here, so that going through games is calm.
  return (
    <GameView key={game.number} archive={archive} route={route} game={game} isStale={isLoading} />
  );
}
