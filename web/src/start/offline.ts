/** Caches the page in the browser, so that it opens without a connection. */
export function makeOffline() {
  // After what the page needs at once. Pages without https have no service workers.
  window.addEventListener('load', () => {
    navigator.serviceWorker?.register('service_worker.js').catch(() => undefined);
  });
}
