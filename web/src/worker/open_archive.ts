import { archiveName } from '../source/archive_name';
import type { Place, Progress } from '../source/messages';
import type { ArchiveBytes } from './archive_bytes';
import { fileBytes } from './file_bytes';
import { Models } from './models';
import { Refusal } from './refusal';
import { urlBytes } from './url_bytes';
import { bodyOf, compile, type Exports, instantiate, placed } from './wasm';

export interface Answer {
  status: number;
  body: ArrayBuffer;
}

type Report = (progress: Progress) => void;

/** An archive that the reader has opened. */
export class OpenArchive {
  private exports: Exports | undefined;
  /** Why something could not be read during a call. */
  private refusal: unknown;

  static async open(place: Place, report: Report): Promise<OpenArchive> {
    const archive = new OpenArchive();
    const opening = typeof place === 'string' ? urlBytes(place) : fileBytes(place);
    const [bytes, module, models] = await Promise.all([opening, compile(), Models.cached()]);
    archive.exports = await instantiate(module, {
      bytes: reported(bytes, report),
      model: (level) => {
        if (!models.has(level)) report('model');
        return models.get(level);
      },
      refuse: (refusal) => {
        archive.refusal = refusal;
      },
    });
    const { status, body } = archive.call((exports) => {
      const name = new TextEncoder().encode(archiveName(place));
      return exports.open(placed(exports, name), name.length, bytes.size);
    });
    if (status !== 200) throw new Refusal(errorOf(body));
    return archive;
  }

  /** Answers a request. */
  answer(route: string): Answer {
    return this.call((exports) => {
      const text = new TextEncoder().encode(route);
      return exports.answer(placed(exports, text), text.length);
    });
  }

  private call(ask: (exports: Exports) => number): Answer {
    const { exports } = this;
    if (!exports) throw new Error('the archive is not open');
    this.refusal = undefined;
    const status = ask(exports);
    // An answer that lacks games because their bytes did not come is none.
    if (this.refusal) throw this.refusal;
    return { status, body: bodyOf(exports) };
  }
}

/** Counts what is read. */
function reported(bytes: ArchiveBytes, report: Report): ArchiveBytes {
  let count = 0;
  const read = (offset: number, length: number) => {
    const range = bytes.read(offset, length);
    count += length;
    report({ bytes: count, size: bytes.size });
    return range;
  };
  return { size: bytes.size, read };
}

/** The reason in the body of an error. */
export function errorOf(body: ArrayBuffer): string {
  const { error } = JSON.parse(new TextDecoder().decode(body)) as { error: string };
  return error;
}
