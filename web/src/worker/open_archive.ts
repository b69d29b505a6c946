import { archiveName } from '../source/archive_name';
import type { FileVersion, Place, Progress } from '../source/messages';
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

  private constructor(
    readonly version: FileVersion,
    private readonly models: Models,
  ) {}

  /** Opens an archive; one that was open before in the state that it had. */
  static async open(
    place: Place,
    version: FileVersion | undefined,
    report: Report,
  ): Promise<OpenArchive> {
    const opening = typeof place === 'string' ? urlBytes(place, version) : fileBytes(place);
    const [bytes, module, models] = await Promise.all([opening, compile(), Models.cached()]);
    const archive = new OpenArchive(bytes.version, models);
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
      return exports.open(placed(exports, name), name.length, bytes.version.size);
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
    const body = bodyOf(exports);
    this.models.settle(status === 200);
    // An answer that lacks games because their bytes did not come is none. If the bytes were not
    // needed yet, nothing is missing.
    if (this.refusal && (status !== 200 || lacksGames(body))) throw this.refusal;
    return { status, body };
  }
}

/** Counts what is read. */
function reported(bytes: ArchiveBytes, report: Report): ArchiveBytes {
  let count = 0;
  const read = (offset: number, length: number) => {
    const range = bytes.read(offset, length);
    // Parts that are no longer in memory are read again.
    count = Math.min(count + length, bytes.version.size);
    report({ bytes: count, size: bytes.version.size });
    return range;
  };
  return { version: bytes.version, read };
}

/** Whether an answer says that games could not be read. */
function lacksGames(body: ArrayBuffer): boolean {
  try {
    return 'unread' in JSON.parse(new TextDecoder().decode(body));
  } catch {
    // The text of a game.
    return false;
  }
}

/** The reason in the body of an error. */
export function errorOf(body: ArrayBuffer): string {
  const { error } = JSON.parse(new TextDecoder().decode(body)) as { error: string };
  return error;
}
