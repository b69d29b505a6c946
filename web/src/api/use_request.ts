import { useEffect, useState } from 'preact/hooks';
import { getJson } from './client';
import { ApiError } from './error';
import { onRefresh, useVersion } from './refresh';

export interface Answer<T> {
  /** The last answer; that of the previous address while the next one loads. */
  data: T | undefined;
  error: ApiError | undefined;
  isLoading: boolean;
}

/** Answers already received, the least recently used first. */
const cache = new Map<string, unknown>();
const MOST_CACHED = 200;
onRefresh(() => cache.clear());

function remember(key: string, data: unknown) {
  cache.delete(key);
  cache.set(key, data);
  const oldest = cache.keys().next();
  if (cache.size > MOST_CACHED && !oldest.done) cache.delete(oldest.value);
}

/**
 * Requests JSON from `url`, again when it changes or after a refresh, and aborts what is no longer
 * wanted.
 * Without a url nothing is requested. `delay` is how long an address must last, in ms.
 */
export function useRequest<T>(url: string | null, delay = 0): Answer<T> {
  const version = useVersion();
  const key = url === null ? null : `${version} ${url}`;
  const [answer, setAnswer] = useState<Answer<T> & { key: string | null }>({
    key: null,
    data: undefined,
    error: undefined,
    isLoading: false,
  });

  useEffect(() => {
    if (url === null || key === null || cache.has(key)) return;
    const abort = new AbortController();
    const fetchIt = async () => {
      try {
        const data = await getJson<T>(url, abort.signal);
        remember(key, data);
        setAnswer({ key, data, error: undefined, isLoading: false });
      } catch (error) {
        if (abort.signal.aborted) return;
        const known = error instanceof ApiError ? error : new ApiError(0, String(error));
        setAnswer({ key, data: undefined, error: known, isLoading: false });
      }
    };
    const timer = setTimeout(fetchIt, delay);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key, delay]);

  const cached = key === null ? undefined : (cache.get(key) as T | undefined);
  useEffect(() => {
    if (key !== null && cached !== undefined) {
      setAnswer({ key, data: cached, error: undefined, isLoading: false });
    }
  }, [key, cached]);

  if (key === null) return { data: undefined, error: undefined, isLoading: false };
  if (cached !== undefined) return { data: cached, error: undefined, isLoading: false };
  const isCurrent = answer.key === key;
  return {
    data: answer.data,
    error: isCurrent ? answer.error : undefined,
    isLoading: !isCurrent,
  };
}
