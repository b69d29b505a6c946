/** What the page and the worker that reads an archive say to each other. */

/** An archive: its address, or a file of the disk. */
export type Place = string | File;

export type ToWorker =
  /** The first message: what to open. */
  | { place: Place }
  /** A request: what follows the archive in an address of `/api`. One is answered at a time. */
  | { route: string };

export type FromWorker =
  | { progress: Progress }
  | { body: ArrayBuffer }
  /** An error; after one with `isBroken` the worker answers nothing more. */
  | { status: number; error: string; isBroken: boolean };

/** What the worker is at: a move model, or the archive, with the bytes that have been read. */
export type Progress = 'model' | { bytes: number; size: number };
