/** Answers of a worker that reads the archive itself. It works on one request at a time. */
import { ApiError } from '../api/error';
import type { FileVersion, FromWorker, ToWorker } from './messages';
import { opened, progress } from './opened';
import type { Source } from './source';

interface Request {
  url: string;
  resolve: (response: Response) => void;
  reject: (reason: unknown) => void;
}

/** How long work that nobody waits for may delay other work before the worker is replaced, in ms. */
const PATIENCE = 5_000;
const NOT_STARTED = 'The reader of archives does not start. Reload the page.';

const queue: Request[] = [];
let running: Request | undefined;
let worker: Worker | undefined;
/** The state of the archive that the page shows. */
let version: FileVersion | undefined;

export const request: Source = (url, _accept, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const asked = { url, resolve, reject };
    signal?.addEventListener('abort', () => drop(asked, signal.reason), { once: true });
    queue.push(asked);
    askNext();
  });

function askNext() {
  if (running) return;
  running = queue.shift();
  if (!running) return;
  worker ??= start();
  send(worker, { route: running.url.replace(/^\/api\/archives(\/[^/?]*)?/, '') });
}

/** Takes back a request. The worker cannot hear of it while it reads, so it may have to go. */
function drop(asked: Request, reason: unknown) {
  asked.reject(reason);
  const at = queue.indexOf(asked);
  if (at >= 0) queue.splice(at, 1);
  if (running !== asked) return;
  const replace = () => {
    if (running !== asked) return;
    // What it reads meanwhile may be of use.
    if (queue.length > 0) end();
    else setTimeout(replace, PATIENCE);
  };
  setTimeout(replace, PATIENCE);
}

function start(): Worker {
  const started = new Worker(new URL('../worker/main.ts', import.meta.url), { type: 'module' });
  // Not what a worker says that has been replaced.
  started.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (worker === started) receive(data);
  };
  started.onerror = () => {
    if (worker === started) fail(new ApiError(0, NOT_STARTED), true);
  };
  const place = opened.get();
  if (place !== undefined) send(started, { place, version });
  return started;
}

function send(to: Worker, message: ToWorker) {
  to.postMessage(message);
}

function receive(message: FromWorker) {
  if ('progress' in message) progress.set(message.progress);
  else if ('version' in message) version = message.version;
  else if ('error' in message) {
    fail(new ApiError(message.status, message.error), message.isBroken);
  } else {
    running?.resolve(responseOf(running.url, message.body));
    end(worker);
  }
}

/** A server has a list of archives, the worker has one. */
function responseOf(url: string, body: ArrayBuffer): Response {
  return new Response(url === '/api/archives' ? new Blob(['[', body, ']']) : body);
}

function fail(error: ApiError, isBroken: boolean) {
  running?.reject(error);
  end(isBroken ? undefined : worker);
}

/** Ends the work on a request, and a worker that does not remain. */
function end(remaining?: Worker) {
  if (!remaining) worker?.terminate();
  worker = remaining;
  running = undefined;
  progress.set(undefined);
  askNext();
}
