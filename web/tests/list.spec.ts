import { expect, firstArchive, frequentPlayer, games, pageOf, test } from './fixtures';

const total = (text: string | null) =>
  Number((text ?? '').replace(/ game.*/, '').replaceAll(',', ''));

test('a filter completes, limits the list, and is part of the address', async ({
  page,
  request,
}) => {
  const archive = await firstArchive(request);
  const player = await frequentPlayer(request, archive);
  await page.goto(pageOf(archive, 'games'));
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toContainText(archive.games.toLocaleString('en'));

  await page.getByRole('combobox', { name: 'Player' }).fill(player.name.slice(0, 3));
  const option = page.getByRole('option').filter({ hasText: player.name }).first();
  await option.click();
  await expect(page).toHaveURL(/player=/);
  await expect(heading).toHaveText(new RegExp(`^${player.games.toLocaleString('en')} game`));
  await expect(page.getByRole('row').first()).toContainText(player.name);

  await page.reload();
  await expect(heading).toHaveText(new RegExp(`^${player.games.toLocaleString('en')} game`));
  await expect(page.getByRole('combobox', { name: 'Player' })).toHaveValue(player.name);

  await page.getByRole('button', { name: 'Remove Player' }).click();
  await expect(heading).toContainText(archive.games.toLocaleString('en'));
  await page.goBack();
  await expect(page.getByRole('combobox', { name: 'Player' })).toHaveValue(player.name);
});

test('the result is a choice of several', async ({ page, request }) => {
  const archive = await firstArchive(request);
  const won = await games(
    request,
    archive,
    `limit=1&where=${encodeURIComponent('Result = "1-0"')}`,
  );
  await page.goto(pageOf(archive, 'games'));
  await page.getByRole('checkbox', { name: '1–0' }).check({ force: true });
  await expect(page.getByRole('heading', { level: 1 })).toContainText(
    won.total.toLocaleString('en'),
  );
  const first = total(await page.getByRole('heading', { level: 1 }).textContent());
  await page.getByRole('checkbox', { name: '0–1' }).check({ force: true });
  await expect(page).toHaveURL(/result=1-0%2C0-1/);
  await expect
    .poll(async () => total(await page.getByRole('heading', { level: 1 }).textContent()))
    .toBeGreaterThanOrEqual(first);
});

test('an error in the expression is shown beside it', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'games'));
  await page.getByText('Filter expression').first().click();
  const field = page.getByRole('textbox', { name: 'Filter expression' });
  await field.fill('White ~~ foo');
  await field.press('Enter');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(page.locator('.advanced [role=alert]')).toContainText('at character');
  await field.fill('White ~ "a"');
  await field.press('Enter');
  await expect(field).toHaveAttribute('aria-invalid', 'false');
});

test('quotes and backslashes in a value are escaped', async ({ page, request }) => {
  const archive = await firstArchive(request);
  const asked = page.waitForRequest((sent) => sent.url().includes('where='));
  await page.goto(pageOf(archive, `games?player=${encodeURIComponent('a"b\\c')}`));
  const where = new URL((await asked).url()).searchParams.get('where');
  expect(where).toBe('player ~ "a\\"b\\\\c"');
  await expect(page.getByText('No game meets all conditions')).toBeVisible();
});

test('only the rows that are seen are in the document', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'games'));
  const rows = page.getByRole('row');
  await expect(rows.first()).toBeVisible();
  expect(await rows.count()).toBeLessThan(60);
  await page.getByRole('grid').focus();
  await page.keyboard.press('End');
  await expect(page.locator(`#row-${archive.games - 1}`)).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator(`#row-${archive.games - 1} .row-link`)).toBeVisible();
  expect(await rows.count()).toBeLessThan(60);
});

test('the wheel moves the rows by its pixels', async ({ page, request }) => {
  const archive = await firstArchive(request);
  test.skip(archive.games < 100, 'the archive is too small to scroll');
  await page.goto(pageOf(archive, 'games'));
  await expect(page.locator('#row-0 .row-link')).toBeVisible();
  await page.getByRole('grid').hover();
  await page.mouse.wheel(0, 400);
  await expect(page.locator('#row-10 .row-link')).toBeVisible();
  const box = await page.locator('#row-10').boundingBox();
  const grid = await page.getByRole('grid').boundingBox();
  expect(Math.abs((box?.y ?? 0) - (grid?.y ?? 0))).toBeLessThan(3);
});

test('columns sort, and Back restores the order', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'games'));
  await page.getByRole('button', { name: 'Sort by Date' }).click();
  await expect(page).toHaveURL(/sort=-Date/);
  const sorted = await games(request, archive, 'limit=1&sort=-Date');
  const number = sorted.games[0]?.number ?? 0;
  await expect(page.locator('#row-0 .number')).toHaveText(number.toLocaleString('en'));
  await page.goBack();
  await expect(page).not.toHaveURL(/sort/);
});

test('Enter opens the selected game, and Back returns to its row', async ({ page, request }) => {
  const archive = await firstArchive(request);
  test.skip(archive.games < 100, 'the archive is too small to scroll');
  await page.goto(pageOf(archive, 'games'));
  await expect(page.locator('#row-0 .row-link')).toBeVisible();
  await page.getByRole('grid').focus();
  for (let press = 0; press < 4; press += 1) await page.keyboard.press('PageDown');
  const id = await page.getByRole('grid').getAttribute('aria-activedescendant');
  await expect(page.locator(`#${id} .row-link`)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/game\/\d+/);
  await page.goBack();
  await expect(page.locator(`#${id}`)).toBeVisible();
});
