/** Requests about archives. */
import { request } from '#source';

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

/** Requests bytes. */
export async function getBlob(url: string): Promise<Blob> {
  const response = await request(url, '*/*');
  return response.blob();
}
