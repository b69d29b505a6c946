import { defineConfig } from 'vite';

/** The server that answers `/api` while `vite` serves the page. */
const server = process.env.PGNA_URL ?? 'http://127.0.0.1:8064';

export default defineConfig({
  build: {
    target: 'es2022',
    // The style sheet uses light-dark(), which these are the first to have.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The polyfill would only add code: every browser that runs the page preloads modules.
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': server } },
  preview: { proxy: { '/api': server } },
});
