/** Caches the page in the browser, so that it opens without a connection. */
export function makeOffline() {
  // The archive is loaded first. Pages without https have no service workers.
  window.addEventListener('load', () => {
    navigator.serviceWorker?.register('service_worker.js').catch(() => undefined);
  });
}
