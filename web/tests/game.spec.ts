import type { Game } from '../src/api/types';
import { expect, findGame, firstArchive, pageOf, playedGame, test } from './fixtures';

const current = '.move-tree [aria-current]';

test('a game is stepped through by keys, and the address follows', async ({ page, request }) => {
  const archive = await firstArchive(request);
  const game = await playedGame(request, archive);
  await page.goto(pageOf(archive, `game/${game.number}`));
  await expect(page.locator('cg-board piece').first()).toBeAttached();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/ply=3/);
  await expect(page.locator(current)).toHaveCount(1);
  await page.keyboard.press('ArrowLeft');
  await expect(page).toHaveURL(/ply=2/);
  await page.keyboard.press('End');
  await expect(page).toHaveURL(new RegExp(`ply=${game.moves.length}`));
  await page.keyboard.press('Home');
  await expect(page).not.toHaveURL(/ply=/);
  await expect(page.locator(current)).toHaveCount(0);
});

test('a shared address shows the same place after a reload', async ({ page, request }) => {
  const archive = await firstArchive(request);
  const game = await playedGame(request, archive);
  await page.goto(pageOf(archive, `game/${game.number}?ply=5&orientation=black`));
  const board = page.getByRole('img', { name: /to move/ });
  const label = await board.getAttribute('aria-label');
  await expect(page.locator('.cg-wrap.orientation-black')).toBeVisible();
  await page.reload();
  await expect(board).toHaveAttribute('aria-label', label ?? '');
  await page.keyboard.press('f');
  await expect(page.locator('.cg-wrap.orientation-white')).toBeVisible();
  await expect(page).not.toHaveURL(/orientation/);
});

test('the wheel over the board steps through the moves, not the page', async ({
  page,
  request,
}) => {
  const archive = await firstArchive(request);
  const game = await playedGame(request, archive);
  await page.setViewportSize({ width: 1000, height: 500 });
  await page.goto(pageOf(archive, `game/${game.number}`));
  await page.locator('cg-board').hover();
  await page.mouse.wheel(0, 100);
  await expect(page).toHaveURL(/ply=1/);
  await page.mouse.wheel(0, 100);
  await expect(page).toHaveURL(/ply=2/);
  await page.mouse.wheel(0, -100);
  await expect(page).toHaveURL(/ply=1/);
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test('the current move is in the middle of the list', async ({ page, request }) => {
  const archive = await firstArchive(request);
  const game = await findGame(request, archive, 'plies >= 60', ({ moves }) => moves.length >= 60);
  test.skip(!game, 'the archive has no game of thirty moves');
  if (!game) return;
  await page.goto(pageOf(archive, `game/${game.number}?ply=30`));
  const middle = async (selector: string) => {
    const box = await page.locator(selector).boundingBox();
    return box ? box.y + box.height / 2 : Number.NaN;
  };
  await expect(page.locator(current)).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/ply=31/);
  expect(Math.abs((await middle(current)) - (await middle('.move-tree')))).toBeLessThan(3);
  await page.keyboard.press('Home');
  await expect.poll(() => page.locator('.move-tree').evaluate((list) => list.scrollTop)).toBe(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the current move is seen with its comment while stepping', async ({ page, request }) => {
    const archive = await firstArchive(request);
    const game = await findGame(
      request,
      archive,
      'has comments and not start?',
      ({ moves, moves_end_at }) =>
        moves_end_at === null && moves.some(({ comments }) => /^\w+/.test(comments?.[0] ?? '')),
    );
    test.skip(!game, 'the archive has no game with a comment');
    if (!game) return;
    const at = game.moves.findIndex(({ comments }) => /^\w+/.test(comments?.[0] ?? ''));
    await page.goto(pageOf(archive, `game/${game.number}${at > 0 ? `?ply=${at}` : ''}`));
    await page.getByRole('button', { name: /Move forward/ }).tap();
    await expect(page).toHaveURL(new RegExp(`ply=${at + 1}`));
    const shown = page.locator('.current-move');
    await expect(shown).toContainText(`${Math.floor(at / 2) + 1}${at % 2 === 0 ? '.' : '…'}`);
    const comment = game.moves[at]?.comments?.[0] ?? '';
    await expect(shown).toContainText(/^\w+/.exec(comment)?.[0] ?? '');
    await expect(shown).toBeInViewport({ ratio: 1 });
    await expect(page.locator('cg-board')).toBeInViewport({ ratio: 1 });
  });
});

test('variations fold, and are reached by keys', async ({ page, request }) => {
  const archive = await firstArchive(request);
  const game = await findGame(
    request,
    archive,
    'has variations',
    ({ moves, moves_end_at }) =>
      moves_end_at === null &&
      moves.some(({ variations }) => variations?.some((v) => v.moves.length > 1)),
  );
  test.skip(!game, 'the archive has no variation');
  if (!game) return;
  const at = game.moves.findIndex(({ variations }) => variations?.some((v) => v.moves.length > 1));
  await page.goto(pageOf(archive, `game/${game.number}?ply=${at + 1}`));
  await expect(page.locator(current)).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/move=\d+/);
  await expect(page.locator(`.variation ${current.split(' ')[1]}`)).toHaveCount(1);
  await page.reload();
  await expect(page.locator(`.variation ${current.split(' ')[1]}`)).toHaveCount(1);
  await page.keyboard.press('ArrowUp');
  await expect(page).toHaveURL(new RegExp(`ply=${at + 1}`));
  const shown = await page.locator('.variation .move').count();
  await page.getByRole('button', { name: 'Fold the variation' }).first().click();
  expect(await page.locator('.variation .move').count()).toBeLessThan(shown);
});

test('castling of Chess960 is shown', async ({ page, request }) => {
  const archive = await firstArchive(request);
  const isCastled = ({ moves, moves_end_at }: Game) =>
    moves_end_at === null && moves.some(({ san }) => san.startsWith('O-O'));
  const game = await findGame(request, archive, '"Variant" ~ "960"', isCastled);
  test.skip(!game, 'the archive has no castling of Chess960');
  if (!game) return;
  const at = game.moves.findIndex(({ san }) => san.startsWith('O-O'));
  const [side, file] = [at % 2 === 0 ? 'White' : 'Black', game.moves[at]?.san.includes('O-O-O')];
  await page.goto(pageOf(archive, `game/${game.number}?ply=${at + 1}`));
  const rank = side === 'White' ? 1 : 8;
  const king = `${side}: king ${file ? 'c' : 'g'}${rank}`;
  await expect(page.getByRole('img', { name: /to move/ })).toHaveAttribute(
    'aria-label',
    new RegExp(king),
  );
});

test('clocks and evaluations are shown where a game has them', async ({ page, request }) => {
  const archive = await firstArchive(request);
  const game = await findGame(
    request,
    archive,
    'has clocks and has evals',
    ({ moves }) =>
      moves.length > 10 && moves.slice(0, 4).every((move) => move.clock !== undefined && move.eval),
  );
  test.skip(!game, 'the archive has no clocks with evaluations');
  if (!game) return;
  await page.goto(pageOf(archive, `game/${game.number}?ply=4`));
  await expect(page.getByRole('timer')).toHaveCount(2);
  const chart = page.getByRole('img', { name: /Evaluations/ });
  const box = await chart.boundingBox();
  await chart.click({ position: { x: (box?.width ?? 100) - 2, y: 20 } });
  await expect(page).toHaveURL(new RegExp(`ply=${game.moves.length}`));
});

test('the text of a game is copied and offered as a file', async ({ page, request }) => {
  const archive = await firstArchive(request);
  const game = await playedGame(request, archive);
  await page.goto(pageOf(archive, `game/${game.number}`));
  await page.getByRole('button', { name: 'Copy PGN' }).click();
  await expect(page.getByText('Copied')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.length).toBeGreaterThan(4);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toContain('.pgn');
});

test('the next game is that of the list', async ({ page, request }) => {
  const archive = await firstArchive(request);
  test.skip(archive.games < 3, 'the archive is too small');
  await page.goto(pageOf(archive, 'games?sort=-Date'));
  await page.locator('#row-0 .row-link').click();
  await expect(page).toHaveURL(/\/game\/\d+/);
  const first = page.url();
  await page.getByRole('link', { name: /Next game/ }).click();
  await expect(page).toHaveURL(/row=1/);
  await page.keyboard.press('[');
  await expect(page).toHaveURL(first);
  await page.getByRole('link', { name: '← Games' }).click();
  await expect(page).toHaveURL(/sort=-Date/);
});

test('a game whose moves cannot be played says so', async ({ page, request }) => {
  const archive = await firstArchive(request);
  const game = await playedGame(request, archive);
  await page.route(`**/games/${game.number}`, async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({
      json: { ...answer, moves: answer.moves.slice(0, 2), moves_end_at: 'Ke9' },
    });
  });
  await page.goto(pageOf(archive, `game/${game.number}`));
  await expect(page.getByText('cannot be played to the end')).toContainText('Ke9');
});
