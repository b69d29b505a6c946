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

async function request(url: string, accept: string, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { headers: { accept }, signal: signal ?? null });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'The server does not answer. Is it still running?');
  }
  if (!response.ok) throw new ApiError(response.status, await errorText(response));
  return response;
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
