import { useEffect, useRef, useState } from 'preact/hooks';
import { archiveUrl, getJson, type Params } from '../api/client';
import { ApiError } from '../api/error';
import { useVersion } from '../api/refresh';
import type { GameRow, GamesPage } from '../api/types';

export const PAGE_SIZE = 100;
/** Pages in memory; those furthest from the rows shown are dropped. */
const MOST_PAGES = 80;
/** A scroll must rest for so long before pages are requested, in ms. */
const REST = 70;

export interface Pages {
  /** Undefined until the first answer. */
  total: number | undefined;
  error: ApiError | undefined;
  /** The total is still that of the previous list. */
  isStale: boolean;
  /** Why games could not be searched. */
  unread: string[] | undefined;
  row: (index: number) => GameRow | undefined;
}

interface List {
  key: string;
  total: number | undefined;
  error: ApiError | undefined;
  unread?: string[] | undefined;
  pages: Map<number, GameRow[]>;
}

/** The games of a list, in pages that are requested as rows from `first` to `last` are shown. */
export function usePages(archive: string, params: Params, first: number, last: number): Pages {
  const key = `${useVersion()} ${archiveUrl(archive, '/games', params)}`;
  const list = useRef<List>({ key: '', total: undefined, error: undefined, pages: new Map() });
  const requests = useRef(new Map<number, AbortController>());
  /** How often the list has had another length than before. */
  const resized = useRef(0);
  const [, update] = useState({});

  useEffect(() => {
    const running = requests.current;
    return () => {
      for (const abort of running.values()) abort.abort();
      running.clear();
    };
  }, [key]);

  const [from, to] = [Math.floor(first / PAGE_SIZE), Math.floor(Math.max(first, last) / PAGE_SIZE)];
  useEffect(() => {
    const load = async (page: number) => {
      const abort = new AbortController();
      requests.current.set(page, abort);
      const place = { limit: PAGE_SIZE, offset: page * PAGE_SIZE };
      try {
        const url = archiveUrl(archive, '/games', { ...params, ...place });
        accept(page, await getJson<GamesPage>(url, abort.signal));
      } catch (error) {
        if (abort.signal.aborted) return;
        const known = error instanceof ApiError ? error : new ApiError(0, String(error));
        list.current = { key, total: undefined, error: known, pages: new Map() };
      } finally {
        if (requests.current.get(page) === abort) requests.current.delete(page);
      }
      update({});
    };
    const accept = (page: number, answer: GamesPage) => {
      const { total, unread } = answer;
      const isSame = list.current.key === key;
      // Pages of lists of different lengths do not belong together.
      const isResized = isSame && list.current.pages.size > 0 && list.current.total !== total;
      if (isResized) resized.current += 1;
      const pages = isSame && !isResized ? list.current.pages : new Map<number, GameRow[]>();
      pages.set(page, answer.games);
      dropFar(pages, page);
      list.current = { key, total, error: undefined, unread, pages };
    };
    const loadAll = () => {
      for (const [page, abort] of requests.current) {
        if (page < from || page > to) abort.abort();
      }
      for (let page = from; page <= to; page += 1) {
        const isLoaded = list.current.key === key && list.current.pages.has(page);
        if (!isLoaded && !requests.current.has(page)) load(page);
      }
    };
    const timer = setTimeout(loadAll, list.current.key === key ? REST : 0);
    return () => clearTimeout(timer);
  }, [key, from, to, resized.current]);

  const { total, error, unread, pages } = list.current;
  const isStale = list.current.key !== key;
  const row = (index: number) => pages.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE];
  return { total, error: isStale ? undefined : error, isStale, unread, row };
}

function dropFar(pages: Map<number, GameRow[]>, around: number) {
  if (pages.size <= MOST_PAGES) return;
  const distance = (page: number) => Math.abs(page - around);
  const furthest = [...pages.keys()].reduce((a, b) => (distance(a) > distance(b) ? a : b));
  pages.delete(furthest);
}
