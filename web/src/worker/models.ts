/** The weights of the move models, of which an archive needs one. */
import standard from '../../../spec/models/default.model?url';
import fast from '../../../spec/models/fast.model?url';
import max from '../../../spec/models/max.model?url';
import { Refusal } from './refusal';
import { TIMEOUT } from './remote_file';

/** By their level in calls of the reader. */
const FILES = [fast, standard, max];

/** The service worker caches no models, because most readers of archives need one of the three. */
const CACHE = 'pgna-models';

export class Models {
  /** Levels that have been loaded during a call. */
  private fresh: number[] = [];

  private constructor(
    private readonly weights: Map<number, Uint8Array>,
    private readonly cache: Cache | undefined,
  ) {}

  /** The models in the cache of the browser, which need no connection. */
  static async cached(): Promise<Models> {
    const weights = new Map<number, Uint8Array>();
    const cache = await openCache();
    for (const [level, url] of FILES.entries()) {
      const cached = await cache?.match(url);
      if (cached) weights.set(level, new Uint8Array(await cached.arrayBuffer()));
    }
    return new Models(weights, cache);
  }

  has(level: number): boolean {
    return this.weights.has(level);
  }

  /** The weights of a level; they are loaded before this returns if they are not here. */
  get(level: number): Uint8Array {
    const weights = this.weights.get(level) ?? this.load(level);
    this.weights.set(level, weights);
    return weights;
  }

  private load(level: number): Uint8Array {
    const url = FILES[level];
    if (url === undefined) throw new Refusal('The archive needs a model that this page lacks.');
    const request = new XMLHttpRequest();
    request.open('GET', url, false);
    request.responseType = 'arraybuffer';
    request.timeout = TIMEOUT;
    const failed = new Refusal('The model that reads the moves could not be loaded.', true);
    try {
      request.send();
    } catch {
      throw failed;
    }
    if (request.status !== 200) throw failed;
    this.fresh.push(level);
    return new Uint8Array(request.response as ArrayBuffer);
  }

  /**
   * Caches what was loaded during a call that succeeded. After another one it is loaded again: it may
   * have been something else, such as the start page of the host.
   */
  settle(hasSucceeded: boolean) {
    for (const level of this.fresh) {
      const [url, bytes] = [FILES[level], this.weights.get(level)];
      if (!hasSucceeded) this.weights.delete(level);
      // If the cache is full, it is loaded another time.
      else if (url && bytes) {
        this.cache?.put(url, new Response(bytes.slice())).catch(() => undefined);
      }
    }
    this.fresh = [];
  }
}

/** Pages without https, and private windows of some browsers, have no cache. */
async function openCache(): Promise<Cache | undefined> {
  try {
    return await caches.open(CACHE);
  } catch {
    return undefined;
  }
}
