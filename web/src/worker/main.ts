/** The worker that reads an archive for the page. */
import type { FileVersion, FromWorker, Place, Progress, ToWorker } from '../source/messages';
import { errorOf, OpenArchive } from './open_archive';
import { Refusal } from './refusal';

/** Statuses of a reading that failed: one that may succeed another time, and one that does not. */
const [PASSING, LASTING] = [502, 500];

let place: Place | undefined;
let version: FileVersion | undefined;
let archive: Promise<OpenArchive> | undefined;

/** How often progress is reported to the page, in ms. */
const REPORT_INTERVAL = 100;

let lastReport = 0;

const send = (message: FromWorker, transfer: Transferable[] = []) =>
  postMessage(message, { transfer });

addEventListener('message', async ({ data }: MessageEvent<ToWorker>) => {
  if ('place' in data) {
    ({ place, version } = data);
    return;
  }
  try {
    const { status, body } = await (await opened()).answer(data.route);
    if (status === 200) send({ body }, [body]);
    else send({ status, error: errorOf(body), isBroken: false });
  } catch (error) {
    send(failure(error));
  }
});

function report(progress: Progress) {
  const now = performance.now();
  if (progress !== 'model' && now - lastReport < REPORT_INTERVAL) return;
  lastReport = now;
  send({ progress });
}

/** The archive. One that could not be opened is tried again with the next request. */
function opened(): Promise<OpenArchive> {
  if (place === undefined) throw new Refusal('No archive is open.');
  archive ??= OpenArchive.open(place, version, report).then(
    (open) => {
      send({ version: open.version });
      return open;
    },
    (error) => {
      archive = undefined;
      throw error;
    },
  );
  return archive;
}

function failure(error: unknown): FromWorker {
  if (error instanceof Refusal) {
    const status = error.isPassing ? PASSING : LASTING;
    return { status, error: error.message, isBroken: false };
  }
  const reason = error instanceof Error ? error.message : String(error);
  // After a trap the memory of the reader is in no state to go on with.
  return { status: LASTING, error: `The reader of archives failed: ${reason}`, isBroken: true };
}
