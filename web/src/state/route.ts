/** The addresses of the page: `/a/{archive}/{page}…?query`. All that is shown follows from them. */

export type PageName = 'games' | 'game' | 'explorer' | 'search' | 'player' | 'stats';

export interface Route {
  /** Undefined at `/`, where the first archive is opened. */
  archive: string | undefined;
  page: PageName | undefined;
  /** What follows the name of the page: a game's number or a player's name. */
  item: string | undefined;
  query: URLSearchParams;
}

const PAGES: readonly string[] = ['games', 'game', 'explorer', 'search', 'player', 'stats'];

export function parseRoute(path: string, search: string): Route {
  const [, root, archive, page = 'games', ...rest] = path.split('/');
  const query = new URLSearchParams(search);
  if (root === '' || root === undefined) {
    return { archive: undefined, page: 'games', item: undefined, query };
  }
  const isKnown = root === 'a' && archive && PAGES.includes(page || 'games');
  if (!isKnown) return { archive: undefined, page: undefined, item: undefined, query };
  return {
    archive: decode(archive),
    page: (page || 'games') as PageName,
    item: rest.length > 0 ? decode(rest.join('/')) : undefined,
    query,
  };
}

/** Decodes a part of a path; a part that is wrongly encoded is taken as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a page. */
export function href(
  archive: string,
  page: PageName,
  item?: string | number,
  query?: URLSearchParams,
): string {
  const tail = item === undefined ? '' : `/${encodeURIComponent(item)}`;
  const text = query?.toString() ?? '';
  return `/a/${encodeURIComponent(archive)}/${page}${tail}${text ? `?${text}` : ''}`;
}

/** A copy of a query with some parameters changed; null and empty texts remove them. */
export function withParams(
  query: URLSearchParams,
  changes: Record<string, string | number | null | undefined>,
): URLSearchParams {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === '') changed.delete(name);
    else changed.set(name, String(value));
  }
  return changed;
}
