import { decode } from '../source/archive_name';
import type { FileVersion } from '../source/messages';
import { Refusal, refusalOf } from './refusal';

const CHANGED = 'The archive has changed on the server. Reload the page.';
const COMPRESSED =
  'compresses the archive on its way, so that parts of it cannot be read. ' +
  'Download the archive and open it from the disk.';

const NOT_SATISFIABLE = 416;

/** How long an answer may take, in ms. */
export const TIMEOUT = 60_000;

/** Statuses by which the target of a redirect says that it is out of date. */
const MOVED = [403, 404, 410];

/** A file on a server. Its version is that of its first answer, or it has changed. */
export class RemoteFile {
  readonly host: string;
  private readonly url: URL;
  private readonly headers: Record<string, string> = {};
  /** Where a redirect led. */
  private target: string | undefined;
  private version: FileVersion = { size: 0, tag: undefined };

  constructor(address: string) {
    this.url = new URL(address);
    this.host = this.url.host;
    const { username, password } = this.url;
    if (username || password) {
      // Browsers request no address with a password in it; it must not get into a message either.
      const secret = `${decode(username)}:${decode(password)}`;
      const bytes = new TextEncoder().encode(secret);
      this.headers.authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`;
      this.url.username = '';
      this.url.password = '';
    }
  }

  /** A request while the archive is opened. What the browser has cached of the file is verified. */
  async fetch(method: string, headers: Record<string, string>, signal?: AbortSignal) {
    try {
      const timeout = AbortSignal.timeout(TIMEOUT);
      const response = await fetch(this.url, {
        method,
        headers: { ...this.headers, ...headers },
        cache: 'no-cache',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      if (response.redirected) this.target = response.url;
      return response;
    } catch {
      throw this.unreachable();
    }
  }

  /** Remembers the version that all later answers must be of. */
  pin(version: FileVersion, expected: FileVersion | undefined) {
    const { size, tag } = expected ?? version;
    if (size !== version.size || tag !== version.tag) throw new Refusal(CHANGED);
    this.version = version;
  }

  /** Reads a range before it returns. */
  read(offset: number, length: number): Uint8Array {
    let request = this.request(this.target ?? this.url.href, offset, length);
    if (this.target && MOVED.includes(request.status)) {
      this.target = undefined;
      request = this.request(this.url.href, offset, length);
    }
    this.check(request, offset);
    const body = new Uint8Array(request.response as ArrayBuffer);
    if (body.length !== length) throw this.short(body.length, length);
    return body;
  }

  private request(url: string, offset: number, length: number): XMLHttpRequest {
    const request = new XMLHttpRequest();
    request.open('GET', url, false);
    request.responseType = 'arraybuffer';
    request.timeout = TIMEOUT;
    for (const [name, value] of Object.entries(this.headers)) request.setRequestHeader(name, value);
    request.setRequestHeader('range', `bytes=${offset}-${offset + length - 1}`);
    try {
      request.send();
    } catch {
      throw this.unreachable();
    }
    return request;
  }

  private check(request: XMLHttpRequest, offset: number) {
    const { status } = request;
    // A whole file in place of a part, or none at this place: another file than before.
    if (status === 200 || status === NOT_SATISFIABLE) throw new Refusal(CHANGED);
    if (status !== 206) throw refusalOf(status, this.host);
    // A header that the browser hides from pages of other hosts would be an error in its console.
    const readable = request.getAllResponseHeaders().toLowerCase();
    const header = (name: string) =>
      readable.includes(`${name}:`) ? request.getResponseHeader(name) : null;
    this.checkEncoding(header('content-encoding'));
    const tag = tagOf(header);
    const range = header('content-range');
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(range ?? '') ?? [];
    const { size, tag: expected } = this.version;
    const hasOtherTag = tag !== undefined && expected !== undefined && tag !== expected;
    const hasOtherSize = total !== undefined && total !== '*' && Number(total) !== size;
    if (hasOtherTag || hasOtherSize) throw new Refusal(CHANGED);
    if (start !== undefined && Number(start) !== offset) {
      throw new Refusal(`${this.host} sends another part of the archive than was asked for.`);
    }
  }

  checkEncoding(encoding: string | null) {
    if (encoding && encoding !== 'identity') throw new Refusal(`${this.host} ${COMPRESSED}`);
  }

  short(received: number, asked: number): Refusal {
    return new Refusal(
      `${this.host} sends ${received} bytes of the archive in place of ${asked}.`,
      true,
    );
  }

  private unreachable(): Refusal {
    const { origin, protocol } = this.url;
    if (origin === location.origin) {
      return new Refusal(`${this.host} does not answer. Is there a connection?`, true);
    }
    if (location.protocol === 'https:' && protocol === 'http:') {
      return new Refusal(
        'A page of https may read an archive of http from this device only. Use an address of https.',
      );
    }
    const header = this.headers.authorization
      ? 'the headers Access-Control-Allow-Origin and Access-Control-Allow-Headers: Authorization, Range.'
      : 'the header Access-Control-Allow-Origin.';
    return new Refusal(
      `${this.host} does not answer, has no such file, or does not let pages of other hosts read ` +
        `its files: for that it must send ${header}`,
      true,
    );
  }
}

/** The ETag, if it changes with every byte, or else the date, which pages of all hosts may see. */
export function tagOf(header: (name: string) => string | null): string | undefined {
  const tag = header('etag');
  if (tag !== null && !tag.startsWith('W/')) return tag;
  return header('last-modified') ?? undefined;
}
