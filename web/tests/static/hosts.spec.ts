/** Hosts that do not serve archives as they must, and what is said of them. */
import type { Page } from '@playwright/test';
import { expect, heading, pageOf, seesGames, test } from './fixtures';
import type { Manners, StaticServer } from './server';

const ALLOWED = { 'access-control-allow-origin': '*' };
const EXPOSED = { ...ALLOWED, 'access-control-expose-headers': 'ETag, Content-Range' };

const alert = (page: Page) => page.getByRole('alert');

for (const [name, headers] of Object.entries({ 'some headers': EXPOSED, 'no headers': ALLOWED })) {
  test(`another host that exposes ${name}`, async ({ page, host, other }) => {
    other.behave({ headers });
    await page.goto(pageOf(host, `${other.origin}/data.pgna`));
    await seesGames(page);
    await page.locator('#row-0 .row-link').click();
    await expect(page.locator('.move-tree')).toBeVisible();
  });
}

test('another host that allows nothing', async ({ page, host, other }) => {
  await page.goto(pageOf(host, `${other.origin}/data.pgna`));
  await expect(heading(page)).toHaveText('data.pgna cannot be opened');
  await expect(alert(page)).toContainText('Access-Control-Allow-Origin');
  other.behave({ headers: ALLOWED });
  await page.getByRole('button', { name: 'Retry' }).click();
  await seesGames(page);
});

const REFUSALS: [what: string, manners: Partial<Manners>, message: string][] = [
  ['ignores ranges', { ignoresRanges: true }, 'does not answer range requests'],
  ['sends less', { lacks: 100 }, 'bytes of the archive in place of'],
  ['forbids it', { status: 403 }, 'does not allow this file to be read (status 403)'],
  ['has no such file', { status: 404 }, 'has no such file. Check the address.'],
  ['compresses', { headers: { 'content-encoding': 'x-own' } }, 'compresses the archive on its way'],
  ['has a fault', { status: 503 }, 'has a fault of its own (status 503)'],
  ['is gone', { isGone: true }, 'does not answer. Is there a connection?'],
];

for (const [what, manners, message] of REFUSALS) {
  test(`a host that ${what}`, async ({ page, host }) => {
    host.behave(manners);
    await page.goto(pageOf(host, '/data.pgna'));
    await expect(heading(page)).toHaveText('data.pgna cannot be opened');
    await expect(alert(page)).toContainText(message);
    await alert(page).getByRole('link', { name: 'Open another archive' }).click();
    await expect(heading(page)).toHaveText('Open a chess archive');
  });
}

test('a file that is empty, and one that is no archive', async ({ page, host }) => {
  await page.goto(pageOf(host, '/empty.pgna'));
  await expect(alert(page)).toContainText('is empty');
  await page.goto(pageOf(host, '/text.pgna'));
  await expect(alert(page)).toContainText('not a');
  await expect(alert(page)).toContainText('pgna pack');
  await page.goto(pageOf(host, '/cut.pgna'));
  await expect(alert(page)).toContainText('pgna recover');
});

test('an address that is none', async ({ page, host }) => {
  await page.goto(pageOf(host, 'file:///etc/games.pgna'));
  await expect(alert(page)).toContainText('not an address of http or https');
});

/** Opens a list, then asks for more of the archive while the host behaves in another way. */
async function later(page: Page, host: StaticServer, manners: Partial<Manners>) {
  await page.goto(pageOf(host, '/large.pgna'));
  await seesGames(page);
  host.behave(manners);
  await page.evaluate(() => {
    location.hash = '/a/large/game/6000';
  });
}

test.describe('while the archive is read', () => {
  // A browser that keeps parts asks for more with If-Range; one that does not sees the other tag.
  for (const headers of [{}, { 'cache-control': 'no-store' }] as Record<string, string>[]) {
    test(`the archive changes: ${JSON.stringify(headers)}`, async ({ page, host }) => {
      host.behave({ headers });
      await later(page, host, { headers, tag: '"2"' });
      await expect(alert(page)).toContainText('has changed on the server. Reload the page.');
      await page.reload();
      await expect(page.locator('.move-tree')).toBeVisible();
    });
  }

  test('a weak tag says nothing', async ({ page, host }) => {
    host.behave({ tag: 'W/"1"' });
    await later(page, host, { tag: 'W/"2"' });
    await expect(page.locator('.move-tree')).toBeVisible();
  });

  test('the host goes, and comes back', async ({ page, host }) => {
    await later(page, host, { isGone: true });
    await expect(alert(page)).toContainText('does not answer');
    host.behave({});
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.locator('.move-tree')).toBeVisible();
  });

  test('answers are short', async ({ page, host }) => {
    await later(page, host, { lacks: 1 });
    await expect(alert(page)).toContainText('in place of');
  });
});
