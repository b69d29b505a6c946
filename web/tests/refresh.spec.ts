/** Answers that come later: a busy server, an archive that grows. */
import type { Archive } from '../src/api/types';
import { expect, firstArchive, pageOf, test } from './fixtures';

const LISTS = '**/api/archives/*/games?*';

test('a busy server is asked again before an error is shown', async ({ page, request }) => {
  const archive = await firstArchive(request);
  let requests = 0;
  await page.route(LISTS, (route) => {
    requests += 1;
    if (requests > 2) return route.continue();
    return route.fulfill({
      status: 503,
      headers: { 'retry-after': requests === 1 ? '1' : '0' },
      json: { error: 'too busy' },
    });
  });
  const start = Date.now();
  await page.goto(pageOf(archive, 'games'));
  await expect(page.locator('#row-0 .row-link')).toBeVisible();
  expect(Date.now() - start).toBeGreaterThan(1000);
  expect(requests).toBe(3);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a request that is too slow is not repeated', async ({ page, request }) => {
  const archive = await firstArchive(request);
  let requests = 0;
  await page.route(LISTS, (route) => {
    requests += 1;
    return route.fulfill({ status: 503, json: { error: 'too slow' } });
  });
  await page.goto(pageOf(archive, 'games'));
  await expect(page.getByRole('alert')).toContainText('too slow');
  await page.waitForTimeout(1500);
  expect(requests).toBe(1);
});

test('a server that remains busy is an error, and Retry asks again', async ({ page, request }) => {
  const archive = await firstArchive(request);
  let requests = 0;
  await page.route(LISTS, (route) => {
    requests += 1;
    return route.fulfill({
      status: 503,
      headers: { 'retry-after': '0' },
      json: { error: 'too busy' },
    });
  });
  await page.goto(pageOf(archive, 'games'));
  await expect(page.getByRole('alert')).toContainText('too busy');
  expect(requests).toBe(4);
  await page.unroute(LISTS);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.locator('#row-0 .row-link')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a page that is left does not ask a busy server again', async ({ page, request }) => {
  const archive = await firstArchive(request);
  let requests = 0;
  await page.route('**/api/archives/*/stats*', (route) => {
    requests += 1;
    return route.fulfill({
      status: 503,
      headers: { 'retry-after': '2' },
      json: { error: 'too busy' },
    });
  });
  await page.goto(pageOf(archive, 'stats'));
  await expect.poll(() => requests).toBe(1);
  await page.getByRole('link', { name: 'Explorer' }).click();
  await expect(page.locator('.explorer-moves')).toBeVisible();
  await page.waitForTimeout(2500);
  expect(requests).toBe(1);
});

test('a list shows the games that were appended when the window is returned to', async ({
  page,
  request,
}) => {
  const archive = await firstArchive(request);
  const grown = archive.games + 5;
  let requests = 0;
  await page.goto(pageOf(archive, 'games'));
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText(new RegExp(`^${archive.games.toLocaleString('en')} game`));
  await page.getByRole('grid').focus();
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('PageDown');
  const place = await page.getByRole('grid').getAttribute('aria-activedescendant');

  await page.route(LISTS, async (route) => {
    requests += 1;
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, total: grown } });
  });
  const focus = () => page.evaluate(() => window.dispatchEvent(new Event('focus')));
  const looked = page.waitForResponse('**/api/archives');
  await focus();
  await looked;
  expect(requests).toBe(0);

  await page.route('**/api/archives', async (route) => {
    const archives: Archive[] = await (await route.fetch()).json();
    const changed = archives.map((other) =>
      other.name === archive.name ? { ...other, games: grown } : other,
    );
    await route.fulfill({ json: changed });
  });
  await focus();
  await expect(heading).toHaveText(new RegExp(`^${grown.toLocaleString('en')} game`));
  await expect(page.locator(`#${place}`)).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Archive' })).toContainText(
    grown.toLocaleString('en'),
  );
});
