import type { Color } from '@lichess-org/chessground/types';
import { href, type Route, withParams } from '../state/route';
import { navigate } from '../state/router';

/** From which side the board of an address is seen. */
export function orientationOf(query: URLSearchParams): Color {
  return query.get('orientation') === 'black' ? 'black' : 'white';
}

/** The orientation of the board, which is part of the address, and how to change it. */
export function useBoardView(archive: string, { page = 'games', item, query }: Route) {
  const orientation = orientationOf(query);
  /** Changes parameters of the address without a new entry of the history. */
  const set = (changes: Record<string, string | null>) =>
    navigate(href(archive, page, item, withParams(query, changes)), { replace: true });
  const flip = () => set({ orientation: orientation === 'white' ? 'black' : null });
  return { orientation, set, flip };
}
