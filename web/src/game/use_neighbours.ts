import type { Game, GamesPage } from '../api/types';
import { useRequest } from '../api/use_request';
import { carriedView, gameInList, neighboursUrl, rowOf } from '../games/game_address';
import { href, withParams } from '../state/route';

export interface Neighbours {
  previous: string | undefined;
  next: string | undefined;
}

/**
 * The addresses of the games before and after one: those of the list from which it was opened,
 * otherwise those of the archive.
 */
export function useNeighbours(archive: string, game: Game, query: URLSearchParams): Neighbours {
  const row = rowOf(query);
  const { data } = useRequest<GamesPage>(
    row === undefined ? null : neighboursUrl(archive, query, row),
  );
  if (row === undefined) {
    const view = withParams(new URLSearchParams(), carriedView(query));
    const at = (number: number | null) =>
      number === null ? undefined : href(archive, 'game', number, view);
    return { previous: at(game.previous), next: at(game.next) };
  }
  const inRow = (wanted: number) => {
    const found = wanted < 0 ? undefined : data?.games[wanted - data.offset];
    return found && gameInList(archive, query, wanted, found);
  };
  return { previous: inRow(row - 1), next: inRow(row + 1) };
}
