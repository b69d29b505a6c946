/** The page as a whole: size, colours, keys, hostile texts, errors. */
import { expect, firstArchive, pageOf, playedGame, test } from './fixtures';

const PAGES = ['games', 'explorer', 'search', 'stats'];

for (const width of [360, 390]) {
  test(`nothing is wider than a phone of ${width} pixels`, async ({ page, request }) => {
    const archive = await firstArchive(request);
    const game = await playedGame(request, archive);
    await page.setViewportSize({ width, height: 780 });
    for (const rest of [...PAGES, `game/${game.number}?ply=4`]) {
      await page.goto(pageOf(archive, rest));
      await page.waitForLoadState('networkidle');
      const most = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(most, rest).toBeLessThanOrEqual(width);
    }
  });
}

test('filters open over the list on a phone', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(pageOf(archive, 'games'));
  await page.getByRole('button', { name: 'Filters' }).click();
  const dialog = page.getByRole('dialog', { name: 'Filters' });
  await dialog.getByRole('checkbox', { name: '1–0' }).check({ force: true });
  await dialog.getByRole('button', { name: /^Show/ }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/result=1-0/);
});

test('colours follow the system, and a choice is remembered', async ({ page, request }, info) => {
  const archive = await firstArchive(request);
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(pageOf(archive, 'games'));
  await expect(page.locator('#row-0 .row-link')).toBeVisible();
  const light = await paper();
  await page.screenshot({ path: info.outputPath('light.png') });
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await paper();
  await page.screenshot({ path: info.outputPath('dark.png') });
  expect(dark).not.toBe(light);
  await page.getByRole('button', { name: /^Colours/ }).click();
  expect(await paper()).toBe(light);
  await page.reload();
  expect(await paper()).toBe(light);
});

test('keys focus the filter and open the help', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'games'));
  await expect(page.locator('#row-0 .row-link')).toBeVisible();
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Player' });
  await expect(field).toBeFocused();
  await page.keyboard.type('a/?');
  await expect(field).toHaveValue('a/?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await field.blur();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: /help/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

const HOSTILE = '<img src=x onerror=alert(1)>';

test('names and comments are texts, never markup', async ({ page, request }) => {
  const archive = await firstArchive(request);
  const game = await playedGame(request, archive);
  await page.route('**/api/archives/*/games?*', async (route) => {
    const answer = await (await route.fetch()).json();
    for (const row of answer.games) {
      row.white = HOSTILE;
      row.black = 'אברהם';
      row.event = '"><script>alert(2)</script>';
    }
    await route.fulfill({ json: answer });
  });
  await page.route(`**/api/archives/*/games/${game.number}`, async (route) => {
    const answer = await (await route.fetch()).json();
    answer.tags = [
      ['White', HOSTILE],
      ['Black', 'أحمد'],
      [HOSTILE, HOSTILE],
    ];
    answer.comments = [HOSTILE];
    answer.moves[0].comments = ['<svg onload=alert(3)>'];
    await route.fulfill({ json: answer });
  });
  await page.goto(pageOf(archive, 'games'));
  await expect(page.locator('#row-0')).toContainText(HOSTILE);
  await page.goto(pageOf(archive, `game/${game.number}?ply=1`));
  await expect(page.getByRole('heading', { level: 1 })).toContainText(HOSTILE);
  await expect(page.locator('.move-tree')).toContainText('<svg onload=alert(3)>');
  expect(await page.locator('#app img:not([src="/icon.svg"]), #app script').count()).toBe(0);
});

test('the page forbids foreign and inline scripts', async ({ page }) => {
  const answer = await page.goto('/');
  const policy = answer?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain('unsafe');
  await expect(page).toHaveURL(/\/a\/.+\/games/);
});

test('what does not exist is said to be absent', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto('/a/no-such-archive-here/games');
  await expect(page.getByRole('alert')).toContainText('no-such-archive-here');
  await page.goto(pageOf(archive, `game/${archive.games + 1}`));
  await expect(page.getByRole('alert')).toContainText('There is no game');
  await page.getByRole('link', { name: 'To the list' }).click();
  await expect(page.locator('#row-0')).toBeVisible();
});

test('archives are switched', async ({ page, request }) => {
  const archives: { name: string }[] = await (await request.get('/api/archives')).json();
  test.skip(archives.length < 2, 'the server has one archive');
  await page.goto('/');
  const [, second] = archives;
  await page.getByRole('combobox', { name: 'Archive' }).selectOption(second?.name ?? '');
  await expect(page).toHaveURL(new RegExp(`/a/${encodeURIComponent(second?.name ?? '')}/`));
  await page.goBack();
  await expect(page.getByRole('combobox', { name: 'Archive' })).toHaveValue(
    archives[0]?.name ?? '',
  );
});

test('an archive that cannot be read is named with the reason', async ({ page, request }) => {
  const archive = await firstArchive(request);
  const broken = { name: 'broken', games: 0, bytes: 0, text_bytes: 0, has_index: false };
  const error = 'the index is cut off';
  await page.route('**/api/archives', (route) =>
    route.fulfill({ json: [{ ...broken, error }, archive] }),
  );
  await page.goto('/');
  await expect(page).toHaveURL(new RegExp(`/a/${encodeURIComponent(archive.name)}/games`));
  const option = page.getByRole('option', { name: /broken/ });
  await expect(option).toBeDisabled();
  await expect(option).toContainText(error);
  await page.goto('/a/broken/games');
  await expect(page.getByRole('alert')).toContainText(error);
  await page.getByRole('link', { name: 'To the games' }).click();
  await expect(page.locator('#row-0')).toBeVisible();
  await page.unroute('**/api/archives');
  await page.route('**/api/archives', (route) =>
    route.fulfill({ json: ['one', 'two'].map((name) => ({ ...broken, name, error: `${name}!` })) }),
  );
  await page.goto('/');
  await expect(page.getByRole('alert')).toContainText('one!');
  await expect(page.getByRole('alert')).toContainText('two!');
});

test('a result that is none of the usual ones is shown as it is', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.route('**/api/archives/*/games?*', async (route) => {
    const answer = await (await route.fetch()).json();
    answer.games[0].result = 'constructor';
    answer.games[1].result = '+/-';
    await route.fulfill({ json: answer });
  });
  await page.goto(pageOf(archive, 'games'));
  await expect(page.locator('#row-0 .result')).toHaveText('constructor');
  await expect(page.locator('#row-1 .result')).toHaveText('+/-');
});

test('a server that does not answer is reported', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.route('**/api/archives/*/games?*', (route) => route.abort());
  await page.goto(pageOf(archive, 'games'));
  await expect(page.getByRole('alert')).toContainText('does not answer');
});
