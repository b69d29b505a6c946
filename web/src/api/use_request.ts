import { useEffect, useState } from 'preact/hooks';
import { ApiError, getJson } from './client';

export interface Answer<T> {
  /** The last answer; that of the previous address while the next one loads. */
  data: T | undefined;
  error: ApiError | undefined;
  isLoading: boolean;
}

/** Answers already received, the least recently used first. */
const cache = new Map<string, unknown>();
const MOST_CACHED = 200;

function remember(url: string, data: unknown) {
  cache.delete(url);
  cache.set(url, data);
  const oldest = cache.keys().next();
  if (cache.size > MOST_CACHED && !oldest.done) cache.delete(oldest.value);
}

/**
 * Requests JSON from `url`, again when it changes, and aborts what is no longer wanted.
 * Without a url nothing is requested. `delay` is how long an address must last, in ms.
 */
export function useRequest<T>(url: string | null, delay = 0): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T> & { url: string | null }>({
    url: null,
    data: undefined,
    error: undefined,
    isLoading: false,
  });

  useEffect(() => {
    if (url === null || cache.has(url)) return;
    const abort = new AbortController();
    const fetchIt = async () => {
      try {
        const data = await getJson<T>(url, abort.signal);
        remember(url, data);
        setAnswer({ url, data, error: undefined, isLoading: false });
      } catch (error) {
        if (abort.signal.aborted) return;
        const known = error instanceof ApiError ? error : new ApiError(0, String(error));
        setAnswer({ url, data: undefined, error: known, isLoading: false });
      }
    };
    const timer = setTimeout(fetchIt, delay);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [url, delay]);

  const cached = url === null ? undefined : (cache.get(url) as T | undefined);
  useEffect(() => {
    if (url !== null && cached !== undefined) {
      setAnswer({ url, data: cached, error: undefined, isLoading: false });
    }
  }, [url, cached]);

  if (url === null) return { data: undefined, error: undefined, isLoading: false };
  if (cached !== undefined) return { data: cached, error: undefined, isLoading: false };
  const isCurrent = answer.url === url;
  return {
    data: answer.data,
    error: isCurrent ? answer.error : undefined,
    isLoading: !isCurrent,
  };
}
