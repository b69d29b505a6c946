/** A page on a static host, a host of archives, and a browser that may not complain. */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test as pages } from '../fixtures';
import { StaticServer } from './server';

export { expect };

export const data = () => process.env.STATIC_DATA ?? '';
export const fileOf = (name: string) => join(data(), name);

interface Hosts {
  /** The host of the page, with archives beside it. */
  host: StaticServer;
  /** Another host, which lets pages of others read only if a test says so. */
  other: StaticServer;
}

export const test = pages.extend<Hosts>({
  host: async ({ browserName: _ }, use) => {
    const host = await StaticServer.start([
      ['/some/dir/', 'static'],
      ['/', data()],
    ]);
    await use(host);
    await host.close();
  },
  other: async ({ browserName: _ }, use) => {
    const other = await StaticServer.start([['/', data()]]);
    await use(other);
    await other.close();
  },
});

/** The page, which opens an archive. */
export function pageOf(host: StaticServer, archive?: string, address = ''): string {
  const query = archive === undefined ? '' : `?archive=${encodeURIComponent(archive)}`;
  return `${host.origin}/some/dir/${query}${address && `#${address}`}`;
}

export const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** Waits for the list of all games. */
export async function seesGames(page: Page) {
  await expect(heading(page)).toHaveText(/^[\d,]+ games$/);
  await expect(page.locator('#row-0 .row-link')).toBeVisible();
}
