import type { Color } from '@lichess-org/chessground/types';
import { INITIAL_FEN } from '../chess/position';
import { listQuery } from '../filter/filter';
import { href, withParams } from '../state/route';

/**
 * The address of the explorer: `start` is a FEN, `play` the moves from there, and `at` how many of
 * them are played on the board; all of them if it is absent.
 */
export function explorerHref(
  archive: string,
  query: URLSearchParams,
  start: string,
  play: string[],
  orientation: Color,
  at?: number,
): string {
  const changed = withParams(listQuery(query), {
    start: start === INITIAL_FEN ? null : start,
    play: play.join(','),
    at: at === undefined || at === play.length ? null : at,
    orientation: orientation === 'black' ? 'black' : null,
    games: query.get('games'),
  });
  return href(archive, 'explorer', undefined, changed);
}

export interface ExplorerPlace {
  start: string;
  play: string[];
  at: number;
}

export function placeIn(query: URLSearchParams): ExplorerPlace {
  const play = (query.get('play') ?? '').split(',').filter(Boolean);
  const at = query.get('at');
  const wanted = at === null ? play.length : Number(at);
  const inside = Number.isSafeInteger(wanted) ? Math.max(0, Math.min(play.length, wanted)) : 0;
  return { start: query.get('start') ?? INITIAL_FEN, play, at: inside };
}
