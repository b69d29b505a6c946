/**
 * The reader of archives, which is compiled to WebAssembly; reader/README.md has its interface.
 * Numbers of WebAssembly arrive signed, addresses and lengths are not: hence `>>> 0`.
 */
import url from '../../../target/web/wasm32-unknown-unknown/release/pgna_reader.wasm?url';
import type { ArchiveBytes } from './archive_bytes';
import { Refusal } from './refusal';

export interface Exports {
  memory: WebAssembly.Memory;
  allocate(length: number): number;
  give(bytes: number, length: number): void;
  open(name: number, length: number, size: number): number;
  answer(route: number, length: number): number;
  body(): number;
  body_length(): number;
}

/** What the reader asks for while it runs. */
export interface Imports {
  bytes: ArchiveBytes;
  /** The weights of the model of a level. */
  model(level: number): Uint8Array;
  /** Called when a range or a model could not be read. */
  refuse(refusal: unknown): void;
}

/** Loads the code of the reader. */
export async function compile(): Promise<WebAssembly.Module> {
  const failed = new Refusal('The reader of archives could not be loaded.', true);
  const response = await fetch(url).catch(() => {
    throw failed;
  });
  if (!response.ok) throw failed;
  // Some servers do not know the type that compiling while loading requires.
  const isTyped = response.headers.get('content-type')?.startsWith('application/wasm');
  return isTyped
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

export async function instantiate(module: WebAssembly.Module, imports: Imports): Promise<Exports> {
  const read = (offset: number, length: number, to: number) => {
    try {
      const range = imports.bytes.read(offset, length >>> 0);
      new Uint8Array(exports.memory.buffer).set(range, to >>> 0);
      return 0;
    } catch (error) {
      imports.refuse(error);
      give(new TextEncoder().encode(error instanceof Error ? error.message : String(error)));
      return 1;
    }
  };
  const model = (level: number) => {
    try {
      give(imports.model(level));
      return 0;
    } catch (error) {
      imports.refuse(error);
      return 1;
    }
  };
  const give = (bytes: Uint8Array) => exports.give(placed(exports, bytes), bytes.length);
  const instance = await WebAssembly.instantiate(module, { source: { read, model } });
  const exports = instance.exports as unknown as Exports;
  return exports;
}

/** Copies bytes into memory of the reader, which the call that receives them frees. */
export function placed(exports: Exports, bytes: Uint8Array): number {
  const at = exports.allocate(bytes.length) >>> 0;
  new Uint8Array(exports.memory.buffer).set(bytes, at);
  return at;
}

/** A copy of the body of the last call. */
export function bodyOf({ memory, body, body_length }: Exports): ArrayBuffer {
  const at = body() >>> 0;
  return memory.buffer.slice(at, at + (body_length() >>> 0)) as ArrayBuffer;
}
