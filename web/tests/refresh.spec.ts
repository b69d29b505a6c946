/** Answers that come later: a busy server, an archive that grows. */
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
      headers: requests === 1 ? { 'retry-after': '1' } : {},
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
