import { Refusal, refusalOf } from './refusal';

const CHANGED = 'The archive has changed on the server. Reload the page.';
const COMPRESSED =
  'compresses the archive on its way, so that parts of it cannot be read. ' +
  'Download the archive and open it from the disk.';

const NOT_SATISFIABLE = 416;

/** A file on a server. Its length and its ETag are those of its first answer, or it has changed. */
export class RemoteFile {
  readonly host: string;
  private readonly url: URL;
  private readonly headers: Record<string, string> = {};
  private size = 0;
  private tag: string | undefined;

  constructor(address: string) {
    this.url = new URL(address);
    this.host = this.url.host;
    const { username, password } = this.url;
    if (username || password) {
      // Browsers request no address with a password in it; it must not get into a message either.
      const secret = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
      const bytes = new TextEncoder().encode(secret);
      this.headers.authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`;
      this.url.username = '';
      this.url.password = '';
    }
  }

  /** A request while the archive is opened. What the browser has cached of the file is verified. */
  async fetch(method: string, headers: Record<string, string>, signal?: AbortSignal) {
    try {
      return await fetch(this.url, {
        method,
        headers: { ...this.headers, ...headers },
        cache: 'no-cache',
        signal: signal ?? null,
      });
    } catch {
      throw this.unreachable();
    }
  }

  /** Remembers what all later answers must be like. */
  pin(size: number, tag: string | null, encoding: string | null) {
    this.size = size;
    this.tag = strong(tag);
    this.checkEncoding(encoding);
  }

  /** Reads a range before it returns. */
  read(offset: number, length: number): Uint8Array {
    const request = new XMLHttpRequest();
    request.open('GET', this.url, false);
    request.responseType = 'arraybuffer';
    for (const [name, value] of Object.entries(this.headers)) request.setRequestHeader(name, value);
    request.setRequestHeader('range', `bytes=${offset}-${offset + length - 1}`);
    try {
      request.send();
    } catch {
      throw this.unreachable();
    }
    this.check(request, offset);
    const body = new Uint8Array(request.response as ArrayBuffer);
    if (body.length !== length) throw this.short(body.length, length);
    return body;
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
    const tag = strong(header('etag'));
    const range = header('content-range');
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(range ?? '') ?? [];
    const hasOtherTag = tag !== undefined && this.tag !== undefined && tag !== this.tag;
    const hasOtherSize = total !== undefined && total !== '*' && Number(total) !== this.size;
    if (hasOtherTag || hasOtherSize) throw new Refusal(CHANGED);
    if (start !== undefined && Number(start) !== offset) {
      throw new Refusal(`${this.host} sends another part of the archive than was asked for.`);
    }
  }

  private checkEncoding(encoding: string | null) {
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
    const isMixed = location.protocol === 'https:' && protocol === 'http:';
    return new Refusal(
      isMixed
        ? 'A page of https may not read an archive of http. Use an address of https.'
        : `${this.host} does not answer, or does not let pages of other hosts read its files: ` +
            'for that it must send the header Access-Control-Allow-Origin.',
      true,
    );
  }
}

/** An ETag that changes with every byte. */
function strong(tag: string | null): string | undefined {
  return tag === null || tag.startsWith('W/') ? undefined : tag;
}
