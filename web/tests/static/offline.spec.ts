/** What works without a connection. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, fileOf, heading, pageOf, seesGames, test } from './fixtures';
import { StaticServer } from './server';

test('after the first visit the page, its reader and its model need no host', async ({
  page,
  host,
  context,
}) => {
  const [start, remote] = [pageOf(host), pageOf(host, '/data.pgna')];
  await page.goto(start);
  await page.getByLabel('Choose a file').setInputFiles(fileOf('data.pgna'));
  await seesGames(page);
  await page.locator('#row-0 .row-link').click();
  await expect(page.locator('.move-tree')).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await host.close();
  await context.setOffline(true);

  await page.goto(start);
  await expect(heading(page)).toHaveText('Open a chess archive');
  await page.getByLabel('Choose a file').setInputFiles(fileOf('data.pgna'));
  await seesGames(page);
  await page.locator('#row-0 .row-link').click();
  await expect(page.locator('.move-tree')).toBeVisible();
  await page.goto(remote);
  await expect(page.getByRole('alert')).toContainText('does not answer');
});

test('archives are not cached', async ({ page, host }) => {
  await page.goto(pageOf(host, '/data.pgna'));
  await seesGames(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  await seesGames(page);
  const cached = await page.evaluate(async () => {
    const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = await Promise.all(caches_.map((cache) => cache.keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(cached.filter((path) => path.endsWith('.pgna'))).toEqual([]);
  expect(cached.filter((path) => path.endsWith('.wasm'))).toHaveLength(1);
});

test('another build is shown at once, and replaces what was cached', async ({
  page,
  context,
}, info) => {
  const folder = info.outputPath('build');
  cpSync('static', folder, { recursive: true });
  const host = await StaticServer.start([['/', folder]]);
  const names = (shown: Page) => shown.evaluate(async () => (await caches.keys()).sort());
  await page.goto(`${host.origin}/`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const [first] = await names(page);

  const change = (name: string, from: string | RegExp, to: string) => {
    const file = `${folder}/${name}`;
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
  };
  change('index.html', '<noscript>', '<noscript>Another build. ');
  change('service_worker.js', /"[0-9a-f]{16}"/, '"another"');
  await page.reload();
  expect(await page.content()).toContain('Another build.');
  // The service worker of before leaves with the last page that it has served.
  await expect.poll(() => names(page)).toHaveLength(2);
  await page.close();
  const next = await context.newPage();
  await expect(async () => {
    await next.goto('about:blank');
    await next.waitForTimeout(1000);
    await next.goto(`${host.origin}/`);
    await next.waitForTimeout(500);
    expect(await names(next)).not.toContain(first);
  }).toPass();
  expect(await names(next)).toContain(`pgna ${host.origin}/ another`);
  await host.close();
});
