import type { FileVersion } from '../source/messages';

/** The bytes of an archive, wherever they are. */
export interface ArchiveBytes {
  version: FileVersion;
  /** Reads a range before it returns. Fails with a Refusal. */
  read(offset: number, length: number): Uint8Array;
}
