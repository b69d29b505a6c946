/** Caches the page of a static host, never archives or their ranges. */

/** The files of this build, its models, and a name for its cache; the build fills them in. */
const [FILES, MODELS, VERSION] = [__FILES__, __MODELS__, __VERSION__];

// A host can have several of these pages, each in its folder.
const PREFIX = `pgna ${registration.scope} `;
const CACHE = PREFIX + VERSION;
const urlOf = (file) => new URL(file, registration.scope).href;
const URLS = new Set(FILES.map(urlOf));

async function cacheFiles() {
  const cache = await caches.open(CACHE);
  // What the browser has of them may be of the build before.
  await cache.addAll([...URLS].map((url) => new Request(url, { cache: 'no-cache' })));
}

/** The worker of the page caches the models that it needs; those of other builds are of no use. */
async function dropOtherModels() {
  const current = new Set(MODELS.map(urlOf));
  const cache = await caches.open('pgna-models');
  for (const request of await cache.keys()) {
    // Not those of a page in a folder below this one.
    const isOurs = new URL('.', request.url).href === new URL('assets/', registration.scope).href;
    if (isOurs && !current.has(request.url)) await cache.delete(request);
  }
}

async function dropOtherBuilds() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** The page from the host, so that a new build is seen at once; without a connection from the cache. */
async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const cache = await caches.open(CACHE);
    const cached = await cache.match(new URL('index.html', registration.scope));
    if (cached) return cached;
    throw error;
  }
}

/** A file, whose name changes with its content. */
async function file(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request)) ?? fetch(request);
}

addEventListener('install', (event) => event.waitUntil(cacheFiles()));
addEventListener('activate', (event) =>
  event.waitUntil(Promise.all([dropOtherBuilds(), dropOtherModels()])),
);
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || request.headers.has('range')) return;
  const url = new URL(request.url);
  url.search = '';
  url.hash = '';
  const isPage = [registration.scope, `${registration.scope}index.html`].includes(url.href);
  if (isPage && request.mode === 'navigate') event.respondWith(page(request));
  else if (!isPage && URLS.has(request.url)) event.respondWith(file(request));
});
