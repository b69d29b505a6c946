import type { ArchiveBytes } from './archive_bytes';
import { Refusal } from './refusal';

/** The bytes of a local file. */
export function fileBytes(file: File): ArchiveBytes {
  if (file.size === 0) throw new Refusal('The file is empty.');
  const reader = new FileReaderSync();
  const read = (offset: number, length: number) => {
    try {
      return new Uint8Array(reader.readAsArrayBuffer(file.slice(offset, offset + length)));
    } catch {
      throw new Refusal('The file has changed on the disk, or is gone. Open it again.');
    }
  };
  return { version: { size: file.size, tag: undefined }, read };
}
