import { defaultClientConditions, defineConfig, type UserConfig } from 'vite';
import { files } from './static_host/files.ts';
import { policy } from './static_host/policy.ts';

/** The server that answers `/api` while `vite` serves the page. */
const server = process.env.PGNA_URL ?? 'http://127.0.0.1:8064';

const build = {
  target: 'es2022',
  // The style sheet uses light-dark(), which these are the first to have.
  cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  // The polyfill would only add code: every browser that runs the page preloads modules.
  modulePreload: { polyfill: false },
};

/** The page of the server. */
const served: UserConfig = {
  build,
  server: { proxy: { '/api': server } },
  preview: { proxy: { '/api': server } },
};

/** The page for a static host, in a folder of any name. */
const hosted: UserConfig = {
  base: './',
  build: { ...build, outDir: 'static' },
  resolve: { conditions: ['static', ...defaultClientConditions] },
  worker: { format: 'es' },
  plugins: [policy(), files()],
};

export default defineConfig(({ mode }) => (mode === 'static' ? hosted : served));
