/** What the page and the worker that reads an archive say to each other. */

/** An archive: its address, or a local file. */
export type Place = string | File;

/** The state of a file on a server, which must not change while it is read. */
export interface FileVersion {
  size: number;
  /** Its strong ETag or, without one, the date of its last change. */
  tag: string | undefined;
}

export type ToWorker =
  /** The first message: what to open, and in which state if it has been open before. */
  | { place: Place; version: FileVersion | undefined }
  /** A request: what follows the archive in an address of `/api`. One is answered at a time. */
  | { route: string };

export type FromWorker =
  | { progress: Progress }
  | { version: FileVersion }
  | { body: ArrayBuffer }
  /** An error; after one with `isBroken` the worker answers nothing more. */
  | { status: number; error: string; isBroken: boolean };

/** What the worker does: it reads a move model, or the archive, with the bytes that have been read. */
export type Progress = 'model' | { bytes: number; size: number };
