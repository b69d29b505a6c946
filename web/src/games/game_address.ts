import { archiveUrl } from '../api/client';
import type { GameRow } from '../api/types';
import { listQuery } from '../filter/filter';
import { href, withParams } from '../state/route';
import { listParams } from './list_params';

/** The row of the list from which a game was opened; undefined if it was not. */
export function rowOf(query: URLSearchParams): number | undefined {
  const row = query.get('row');
  return row !== null && /^\d+$/.test(row) ? Number(row) : undefined;
}

/** The address of a game, at the place where the list found a position in it. */
export function gameInList(
  archive: string,
  query: URLSearchParams,
  row: number,
  { number, ply }: GameRow,
): string {
  const place = { row, ply: ply || null, ...carriedView(query) };
  return href(archive, 'game', number, withParams(listQuery(query), place));
}

/** How games are looked at, which remains from one game to the next. */
export function carriedView(query: URLSearchParams) {
  return { orientation: query.get('orientation'), panel: query.get('panel') };
}

/** The address of the list from which a game was opened, at its row. */
export function listOfGame(archive: string, query: URLSearchParams): string {
  const row = rowOf(query);
  // A few rows above the game keep it in sight of its neighbours.
  const first = row === undefined ? null : Math.max(0, row - 3) || null;
  return href(archive, 'games', undefined, withParams(listQuery(query), { row: first }));
}

/** The request for the rows before and after one. */
export function neighboursUrl(archive: string, query: URLSearchParams, row: number): string {
  const offset = Math.max(0, row - 1);
  return archiveUrl(archive, '/games', { ...listParams(query), offset, limit: 3 });
}
