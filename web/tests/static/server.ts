/** A static web server for the tests, which a test can make misbehave. */
import { createReadStream, type Stats, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

/** How archives are served; pages are always served well. */
export interface Manners {
  /** How long each answer waits, in ms. */
  delay: number;
  /** Headers of every answer, such as those of CORS. */
  headers: Record<string, string>;
  /** Answers ranges with the whole file. */
  ignoresRanges: boolean;
  /** The number of bytes that an answer lacks. */
  lacks: number;
  /** A status in place of the file. */
  status: number | undefined;
  /** The ETag; undefined for none. */
  tag: string | undefined;
  /** Answers nothing: closes the connection. */
  isGone: boolean;
}

export interface Logged {
  method: string;
  path: string;
  range: string | undefined;
  authorization: string | undefined;
  bytes: number;
}

const GOOD: Manners = {
  delay: 0,
  headers: {},
  ignoresRanges: false,
  lacks: 0,
  status: undefined,
  tag: '"1"',
  isGone: false,
};

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

const isArchive = (path: string) => path.endsWith('.pgna');

export class StaticServer {
  manners: Manners = { ...GOOD };
  readonly log: Logged[] = [];
  private readonly server: Server;

  /** `folders` are local folders by the path that they have on the server. */
  private constructor(
    private readonly folders: [prefix: string, folder: string][],
    private readonly types: Record<string, string>,
  ) {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(
    folders: [prefix: string, folder: string][],
    types: Record<string, string> = {},
  ): Promise<StaticServer> {
    const started = new StaticServer(folders, { ...TYPES, ...types });
    await new Promise<void>((resolve) => started.server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  behave(changes: Partial<Manners>) {
    this.manners = { ...GOOD, ...changes };
  }

  /** The requests for archives, and forgets them. */
  takeArchiveLog(): Logged[] {
    const all = this.log.splice(0);
    return all.filter(({ path }) => isArchive(path));
  }

  async close() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse) {
    const path = decodeURIComponent(new URL(request.url ?? '/', this.origin).pathname);
    const manners = isArchive(path) ? this.manners : { ...GOOD, tag: undefined };
    if (manners.delay > 0) await new Promise((resolve) => setTimeout(resolve, manners.delay));
    const logged: Logged = {
      method: request.method ?? '',
      path,
      range: request.headers.range,
      authorization: request.headers.authorization,
      bytes: 0,
    };
    this.log.push(logged);
    if (manners.isGone) {
      response.destroy();
      return;
    }
    for (const [name, value] of Object.entries(manners.headers)) response.setHeader(name, value);
    const file = this.fileOf(path);
    const found = file && look(file);
    if (manners.status !== undefined || !file || !found) {
      response.writeHead(manners.status ?? 404).end();
      return;
    }
    response.setHeader('content-type', this.types[extname(file)] ?? 'application/octet-stream');
    response.setHeader('accept-ranges', 'bytes');
    if (manners.tag !== undefined) response.setHeader('etag', manners.tag);
    const { size } = found;
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    let [start, end] = [0, size - 1];
    const condition = request.headers['if-range'];
    const isSame = condition === undefined || condition === manners.tag;
    if (range && isSame && !manners.ignoresRanges) {
      start = Number(range[1]);
      if (start >= size) {
        response.writeHead(416, { 'content-range': `bytes */${size}` }).end();
        return;
      }
      end = Math.min(Number(range[2]), size - 1);
      response.statusCode = 206;
      response.setHeader('content-range', `bytes ${start}-${end}/${size}`);
    }
    end -= manners.lacks;
    response.setHeader('content-length', end - start + 1);
    if (request.method === 'HEAD' || end < start) {
      response.end();
      return;
    }
    const stream = createReadStream(file, { start, end });
    stream.on('data', (part) => {
      logged.bytes += part.length;
    });
    stream.pipe(response);
  }

  private fileOf(path: string): string | undefined {
    for (const [prefix, folder] of this.folders) {
      if (!path.startsWith(prefix)) continue;
      const rest = normalize(path.slice(prefix.length) || 'index.html');
      return join(folder, rest.endsWith('/') ? `${rest}index.html` : rest);
    }
    return undefined;
  }
}

function look(file: string): Stats | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() ? found : undefined;
}
