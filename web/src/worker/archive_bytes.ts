/** The bytes of an archive, wherever they are. */
export interface ArchiveBytes {
  size: number;
  /** Reads a range before it returns. Fails with a Refusal. */
  read(offset: number, length: number): Uint8Array;
}
