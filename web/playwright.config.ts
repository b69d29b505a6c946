import { defineConfig } from '@playwright/test';

/** The tests drive a browser that is installed against a server that runs. */
export default defineConfig({
  testDir: 'tests',
  testIgnore: 'static/**',
  timeout: 30_000,
  fullyParallel: true,
  workers: 2,
  reporter: 'list',
  use: {
    baseURL: process.env.PGNA_URL ?? 'http://127.0.0.1:8064',
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
    trace: 'retain-on-failure',
  },
});
