/** Requests to the server. */

/** An answer that is an error, or no answer. `status` is 0 if the server did not answer. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export type Params = Record<string, string | number | boolean | null | undefined>;

/** The address of a route of an archive. Parameters without a value are left out. */
export function archiveUrl(archive: string, route: string, params: Params = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    const isAbsent = value === null || value === undefined || value === '' || value === false;
    if (!isAbsent) query.set(name, value === true ? 'true' : String(value));
  }
  const text = query.toString();
  return `/api/archives/${encodeURIComponent(archive)}${route}${text ? `?${text}` : ''}`;
}

/** Requests JSON. */
export async function getJson<T>(url: string, signal?: AbortSignal): Promise<T> {
  const response = await request(url, 'application/json', signal);
  return (await response.json()) as T;
}

/** Requests a text. */
export async function getText(url: string, signal?: AbortSignal): Promise<string> {
  const response = await request(url, '*/*', signal);
  return response.text();
}

const BUSY = 503;
/** How often a request is repeated for which the server was too busy. */
const MOST_REPEATS = 3;
/** The wait before that where the server names none, and the longest one, in ms. */
const [FIRST_WAIT, LONGEST_WAIT] = [500, 5_000];
/** A request that has taken so long, in ms, takes too long and is not repeated. */
const TOO_LONG = 10_000;

async function request(url: string, accept: string, signal?: AbortSignal): Promise<Response> {
  for (let repeats = 0; ; repeats += 1) {
    const start = performance.now();
    const response = await answerOf(url, accept, signal);
    if (response.ok) return response;
    const isTooLong = performance.now() - start > TOO_LONG;
    if (response.status !== BUSY || isTooLong || repeats === MOST_REPEATS) {
      throw new ApiError(response.status, await errorText(response));
    }
    await response.body?.cancel();
    await pause(waitBefore(repeats, response.headers.get('retry-after')), signal);
  }
}

async function answerOf(url: string, accept: string, signal?: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { headers: { accept }, signal: signal ?? null });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'The server does not answer. Is it still running?');
  }
}

/** How long to wait, in ms, by the seconds of Retry-After or twice as long each time. */
function waitBefore(repeats: number, retryAfter: string | null): number {
  const isNumber = retryAfter !== null && /^\d+$/.test(retryAfter.trim());
  const wait = isNumber ? 1000 * Number(retryAfter) : FIRST_WAIT * 2 ** repeats;
  return Math.min(wait, LONGEST_WAIT);
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
