/** Answers of the server. */
import { ApiError } from '../api/error';
import type { Source } from './source';

const BUSY = 503;
/** How often a request is repeated for which the server was too busy. */
const MOST_REPEATS = 3;
/** The longest wait before that, and how much is added by chance, in ms. */
const [LONGEST_WAIT, JITTER] = [5_000, 300];

export const request: Source = async (url, accept, signal) => {
  for (let repeats = 0; ; repeats += 1) {
    const response = await fetchOnce(url, accept, signal);
    if (response.ok) return response;
    const wait = waitAfter(response);
    if (wait === undefined || repeats === MOST_REPEATS) {
      throw new ApiError(response.status, await errorText(response));
    }
    await response.body?.cancel();
    await pause(wait, signal);
  }
};

async function fetchOnce(url: string, accept: string, signal?: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { headers: { accept }, signal: signal ?? null });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'The server does not answer. Is it still running?');
  }
}

/**
 * How long to wait, in ms, until a request may be repeated: the seconds of Retry-After, which the
 * server sends if it has too many requests; undefined without. Those that were refused together
 * do not come back together.
 */
function waitAfter({ status, headers }: Response): number | undefined {
  const seconds = headers.get('retry-after');
  if (status !== BUSY || seconds === null || !/^\d+$/.test(seconds)) return undefined;
  return Math.min(1000 * Number(seconds), LONGEST_WAIT) + JITTER * Math.random();
}

/** Waits, or fails as soon as the request is aborted. */
function pause(wait: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, wait);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

async function errorText(response: Response): Promise<string> {
  try {
    const body: unknown = await response.json();
    if (body && typeof body === 'object' && 'error' in body) return String(body.error);
  } catch {
    // An answer that is no JSON, such as that of a proxy, has only its status.
  }
  return `The server answered with status ${response.status}.`;
}
