// An instance of the reader for Node, which reads an archive from memory.
import { readFileSync } from 'node:fs';

const LEVELS = ['fast', 'default', 'max'];

/**
 * Opens an archive. `weights` gives the bytes of the weights of a level, or undefined; `read` a range
 * of the archive, or throws.
 */
export async function openArchive(wasm, archive, { weights, read = slice(archive) }) {
  const imports = {
    read(offset, length, to) {
      try {
        bytesAt(to, length).set(read(offset, length));
        return 0;
      } catch (error) {
        give(Buffer.from(error.message));
        return 1;
      }
    },
    model(level) {
      const bytes = weights(LEVELS[level]);
      if (bytes === undefined) return 1;
      give(bytes);
      return 0;
    },
  };
  const module = await WebAssembly.instantiate(readFileSync(wasm), { source: imports });
  const reader = module.instance.exports;
  // Numbers of WebAssembly are signed, addresses are not.
  const bytesAt = (at, length) => new Uint8Array(reader.memory.buffer, at >>> 0, length >>> 0);
  const placed = (bytes) => {
    const at = reader.allocate(bytes.length);
    bytesAt(at, bytes.length).set(bytes);
    return [at, bytes.length];
  };
  const give = (bytes) => reader.give(...placed(bytes));
  const answered = (status) => ({
    status,
    body: Buffer.from(bytesAt(reader.body(), reader.body_length())),
  });
  return {
    opened: answered(reader.open(...placed(Buffer.from('archive')), archive.length)),
    ask: (address) => answered(reader.answer(...placed(Buffer.from(address)))),
    bytes: () => reader.memory.buffer.byteLength,
  };
}

function slice(archive) {
  return (offset, length) => archive.subarray(offset, offset + length);
}
