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
/** The longest wait before that, and how much is added by chance, in ms. */
const [LONGEST_WAIT, JITTER] = [5_000, 300];

async function request(url: string, accept: string, signal?: AbortSignal): Promise<Response> {
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
}

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
