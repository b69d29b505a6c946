import type { FileVersion } from '../source/messages';
import type { ArchiveBytes } from './archive_bytes';
import { Refusal, refusalOf } from './refusal';
import { RemoteFile, tagOf } from './remote_file';

/** How much is requested at first: the first page that the reader asks for. */
const FIRST = 16_384;

const [PARTIAL, NOT_SATISFIABLE] = [206, 416];

const NO_RANGES =
  'does not answer range requests, by which a part of a file is read. ' +
  'Download the archive and open it from the disk.';

/** Opens the archive at an address: looks whether its server sends parts of it, and how long it is. */
export async function urlBytes(
  address: string,
  expected: FileVersion | undefined,
): Promise<ArchiveBytes> {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) {
    throw new Refusal('This is not an address of http or https.');
  }
  const file = new RemoteFile(address);
  const { host } = file;
  const abort = new AbortController();
  const response = await file.fetch('GET', { range: `bytes=0-${FIRST - 1}` }, abort.signal);
  if (response.status !== PARTIAL) {
    // The answer may be the whole archive, which nobody waits for.
    abort.abort();
    const isEmpty = response.headers.get('content-length') === '0';
    if (response.status === NOT_SATISFIABLE || (response.ok && isEmpty)) {
      throw new Refusal(`The file on ${host} is empty.`);
    }
    if (response.ok) throw new Refusal(`${host} ${NO_RANGES}`);
    throw refusalOf(response.status, host);
  }
  const start = await bodyOf(response, host);
  const size = await sizeOf(file, response, start.length);
  const version = { size, tag: tagOf((name) => response.headers.get(name)) };
  file.pin(version, expected);
  file.checkEncoding(response.headers.get('content-encoding'));
  if (start.length !== Math.min(FIRST, size)) throw file.short(start.length, Math.min(FIRST, size));
  const read = (offset: number, length: number) =>
    offset + length <= start.length
      ? start.subarray(offset, offset + length)
      : file.read(offset, length);
  return { version, read };
}

async function bodyOf(response: Response, host: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch {
    throw new Refusal(`The connection to ${host} broke off.`, true);
  }
}

/** The length of the archive. A server of another host may keep Content-Range to itself. */
async function sizeOf(file: RemoteFile, response: Response, received: number): Promise<number> {
  const range = response.headers.get('content-range');
  const total = /\/(\d+)$/.exec(range ?? '')?.[1];
  if (total !== undefined && Number.isSafeInteger(Number(total))) return Number(total);
  // Less than was asked for is all there is.
  if (range === null && received < FIRST) return received;
  const head = await file.fetch('HEAD', {});
  const length = head.headers.get('content-length');
  if (head.ok && length !== null && /^\d+$/.test(length)) return Number(length);
  throw new Refusal(
    `${file.host} does not say how long the archive is. If it is another host than that of this ` +
      'page, it must send the header Access-Control-Expose-Headers: ETag, Content-Range.',
  );
}
