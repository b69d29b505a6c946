import { defineConfig } from '@playwright/test';
import served from './playwright.config';

/** The tests of the page for a static host. They start their own servers. */
export default defineConfig({
  ...served,
  testDir: 'tests/static',
  testIgnore: [],
  globalSetup: './tests/static/prepare.ts',
});
