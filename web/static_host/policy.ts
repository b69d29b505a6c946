import type { Plugin } from 'vite';

/**
 * What the page may do: run its own scripts. Names and comments of games are the text of strangers.
 * The reader and the addresses of archives are for the worker, in browsers where it has the policy of
 * the page; in the others it has none.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self' http: https:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * Writes the content security policy into the page: a static host may send no headers. Requests for
 * its files do not name the archive that is open.
 */
export function policy(): Plugin {
  const attrs = { 'http-equiv': 'Content-Security-Policy', content: POLICY };
  return {
    name: 'pgna-policy',
    transformIndexHtml: () => [
      { tag: 'meta', attrs, injectTo: 'head-prepend' },
      { tag: 'meta', attrs: { name: 'referrer', content: 'no-referrer' }, injectTo: 'head' },
    ],
  };
}
