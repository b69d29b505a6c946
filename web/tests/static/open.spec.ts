/** Opening: an address, a local file, the start page, a sub-path. */
import { readFileSync } from 'node:fs';
import { expect, fileOf, heading, pageOf, seesGames, test } from './fixtures';

test('an address opens the list, and a game of it', async ({ page, host }) => {
  await page.goto(pageOf(host, '/data.pgna'));
  await seesGames(page);
  await expect(page).toHaveURL(/\/some\/dir\/\?archive=%2Fdata\.pgna#\/a\/data\/games$/);
  await page.locator('#row-0 .row-link').click();
  await expect(page).toHaveURL(/#\/a\/data\/game\/1\?/);
  await expect(page.locator('.move-tree')).toBeVisible();
  await page.goBack();
  await seesGames(page);
});

test('an address names a place in the archive', async ({ page, host }) => {
  await page.goto(pageOf(host, '../../data.pgna', '/a/data/stats'));
  await expect(page.getByRole('heading', { name: 'Results' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Results' })).toBeVisible();
  await page.evaluate(() => {
    location.hash = '/a/data/explorer';
  });
  await expect(page.locator('.explorer-moves')).toBeVisible();
});

test('a local file is opened and not uploaded', async ({ page, host }) => {
  await page.goto(pageOf(host));
  await expect(page.getByText('Nothing is uploaded')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.getByLabel('Choose a file').setInputFiles(fileOf('data.pgna'));
  await seesGames(page);
  await expect(page).toHaveURL(/\/some\/dir\/#\/a\/data\/games$/);
  expect(host.log.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(host.takeArchiveLog()).toEqual([]);

  await page.reload();
  await expect(page.getByRole('status')).toContainText('data.pgna again');
  await page.getByLabel('Choose a file').setInputFiles(fileOf('data.pgna'));
  await seesGames(page);
  await page.getByRole('link', { name: 'Open another archive' }).click();
  await expect(heading(page)).toHaveText('Open a chess archive');
});

test('a file is dropped on the page', async ({ page, host }) => {
  await page.goto(pageOf(host));
  const bytes = readFileSync(fileOf('data.pgna')).toString('latin1');
  await page.evaluate((text) => {
    const transfer = new DataTransfer();
    const content = Uint8Array.from(text, (char) => char.charCodeAt(0));
    transfer.items.add(new File([content], 'dropped.pgna'));
    for (const type of ['dragover', 'drop']) {
      const event = new DragEvent(type, {
        dataTransfer: transfer,
        bubbles: true,
        cancelable: true,
      });
      document.body.dispatchEvent(event);
    }
  }, bytes);
  await seesGames(page);
  await expect(page).toHaveURL(/#\/a\/dropped\/games$/);
});

test('an address is typed', async ({ page, host, other }) => {
  other.behave({ headers: { 'access-control-allow-origin': '*' } });
  await page.goto(pageOf(host));
  const field = page.getByRole('textbox', { name: 'Address of an archive' });
  await field.fill('ftp://example.org/a.pgna');
  await field.press('Enter');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.fill(`${other.origin}/data.pgna`);
  await page.getByRole('button', { name: 'Open' }).click();
  await seesGames(page);
  await page.goBack();
  await expect(heading(page)).toHaveText('Open a chess archive');
});

test('any name of a file is shown and opened', async ({ page, host }) => {
  await page.goto(pageOf(host, `/${encodeURIComponent('Müller & Söhne 100%')}.pgna`));
  await seesGames(page);
  await expect(page.getByRole('combobox', { name: 'Archive' })).toHaveValue('Müller & Söhne 100%');
  await page.locator('#row-0 .row-link').click();
  await page.getByText('Analyse from here').click();
  await expect(page.locator('.explorer-moves')).toBeVisible();
});

test('the first link leads to the content and leaves the address', async ({ page, host }) => {
  await page.goto(pageOf(host, '/data.pgna'));
  await seesGames(page);
  await page.getByText('To the content').focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();
  await expect(page).toHaveURL(/#\/a\/data\/games$/);
});

test('a password is sent and not shown', async ({ page, host }) => {
  const address = host.origin.replace('//', '//reader:se%63ret@');
  await page.goto(pageOf(host, `${address}/data.pgna`));
  await seesGames(page);
  const sent = host.takeArchiveLog().map(({ authorization }) => authorization);
  expect(new Set(sent)).toEqual(new Set([`Basic ${btoa('reader:secret')}`]));
  await page.goto(pageOf(host, `${address}/missing.pgna`));
  await expect(page.getByRole('alert')).toContainText('no such file');
  expect(await page.locator('body').textContent()).not.toMatch(/secret|reader:/);
});
