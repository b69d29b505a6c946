import { readPosition } from '../src/chess/position';
import { expect, findGame, firstArchive, pageOf, test } from './fixtures';

const moves = '.explorer-moves tbody tr';

test('a click on a move plays it, and Back takes it back', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'explorer'));
  await expect(page.locator(moves).first()).toBeVisible();
  await page.locator(moves).first().hover();
  await expect(page.locator('.cg-shapes line')).toHaveCount(1);
  await page.locator(moves).first().click();
  await expect(page).toHaveURL(/play=\w{4}$/);
  await expect(page.getByRole('img', { name: /Black to move/ })).toBeVisible();
  await expect(page.locator('.explorer')).toHaveAttribute('aria-busy', 'false');
  await page.locator(moves).first().click();
  await expect(page).toHaveURL(/play=\w{4}%2C\w{4}/);
  await page.goBack();
  await expect(page).toHaveURL(/play=\w{4}$/);
  await page.goBack();
  await expect(page.getByRole('img', { name: /White to move/ })).toBeVisible();
  await page.goForward();
  await page.reload();
  await expect(page.getByRole('img', { name: /Black to move/ })).toBeVisible();
});

test('pieces move by the rules only', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'explorer'));
  const board = page.locator('cg-board');
  const box = await board.boundingBox();
  if (!box) throw new Error('there is no board');
  const square = (file: number, rank: number): [number, number] => [
    box.x + (box.width * (file + 0.5)) / 8,
    box.y + (box.height * (7.5 - rank)) / 8,
  ];
  await page.mouse.click(...square(4, 1));
  await page.mouse.click(...square(4, 4));
  await expect(page).not.toHaveURL(/play=/);
  await page.mouse.click(...square(4, 1));
  await page.mouse.click(...square(4, 3));
  await expect(page).toHaveURL(/play=e2e4/);
  await page.keyboard.press('ArrowLeft');
  await expect(page).toHaveURL(/at=0/);
});

test('moves can be typed, and keys are not taken from fields', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'explorer'));
  const field = page.getByRole('textbox', { name: 'A move to play' });
  await field.fill('Nf3');
  await field.press('Enter');
  await expect(page).toHaveURL(/play=g1f3/);
  await field.pressSequentially('f5');
  await expect(page.locator('.cg-wrap.orientation-white')).toBeVisible();
  await field.press('Home');
  await expect(page).not.toHaveURL(/at=0/);
  await field.fill('Ke4');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toContainText('not a legal move');
});

test('a pawn on the last rank asks what it becomes', async ({ page, request }) => {
  const archive = await firstArchive(request);
  const start = encodeURIComponent('8/P6k/8/8/8/8/7K/8 w - - 0 1');
  await page.goto(pageOf(archive, `explorer?start=${start}`));
  const box = await page.locator('cg-board').boundingBox();
  if (!box) throw new Error('there is no board');
  const [x, step] = [box.x + box.width / 16, box.height / 8];
  await page.mouse.click(x, box.y + step * 1.5);
  await page.mouse.click(x, box.y + step * 0.5);
  await page.getByRole('button', { name: 'knight' }).click();
  await expect(page).toHaveURL(/play=a7a8n/);
});

test('games with the position lead to the list', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'explorer'));
  await page.locator(moves).first().click();
  await expect(page).toHaveURL(/play=/);
  await page.getByRole('link', { name: 'Games with this position' }).click();
  await expect(page).toHaveURL(/\/games\?fen=/);
  await expect(page.locator('.chip-board')).toBeVisible();
  await expect(page.locator('#row-0 .row-link')).toBeVisible();
});

test('a game of the explorer opens at the position', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'explorer'));
  await page.locator(moves).first().click();
  await expect(page).toHaveURL(/play=/);
  const label = await page.getByRole('img', { name: /Black to move/ }).getAttribute('aria-label');
  await expect(page.locator('.explorer')).toHaveAttribute('aria-busy', 'false');
  await page.locator('.explorer-games a').first().click();
  await expect(page).toHaveURL(/\/game\/\d+\?fen=/);
  await expect(page.getByRole('img', { name: /to move/ })).toHaveAttribute(
    'aria-label',
    label ?? '',
  );
  await page.keyboard.press('Home');
  await expect(page).toHaveURL(/ply=0/);
  await expect(page.getByRole('img', { name: /White to move/ })).toBeVisible();
});

test('the filter of the list is respected by a switch', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'games?result=1-0'));
  await page.getByRole('link', { name: 'Explorer' }).click();
  const asked = page.waitForRequest((sent) => /explorer\?.*where=/.test(sent.url()));
  await page.getByRole('checkbox', { name: /Only the games of the list/ }).check();
  const where = new URL((await asked).url()).searchParams.get('where');
  expect(where).toBe('Result = "1-0"');
  await expect(page).toHaveURL(/only=list/);
});

test('a position that is none is an error with a way out', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'explorer?start=8/8/8/8/8/8/8/8+w'));
  await expect(page.getByRole('alert')).toContainText('board is empty');
  await page.getByRole('link', { name: 'To the start position' }).click();
  await expect(page.locator('cg-board piece').first()).toBeAttached();
});

test('moves with and without figurines are at the same height', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'explorer?play=e2e4,e7e5'));
  await expect(page.locator('.explorer-move .figurine').first()).toBeVisible();
  const places = await page.locator(moves).evaluateAll((rows) =>
    rows.map((row) => {
      const [move, box] = [row.querySelector('button') ?? row, row].map((part) =>
        part.getBoundingClientRect(),
      );
      return (move?.bottom ?? 0) - (box?.top ?? 0);
    }),
  );
  expect(Math.max(...places) - Math.min(...places)).toBeLessThan(1);
  await page.getByRole('button', { name: /^Notation/ }).click();
  await expect(page.locator('.figurine')).toHaveCount(0);
});

test('games that end at a position are counted, so that the rows add up', async ({
  page,
  request,
}) => {
  const archive = await firstArchive(request);
  const game = await findGame(
    request,
    archive,
    'plies >= 2 and not start? and (Result = "1-0" or Result = "0-1")',
    ({ moves_end_at, tags }) => moves_end_at === null && !tags.some(([tag]) => tag === 'Variant'),
  );
  test.skip(!game, 'the archive has no game of chess with a result');
  if (!game) return;
  const counts = async (rows: string) => {
    const texts = await page.locator(`.explorer-moves ${rows} .game-count`).allTextContents();
    return texts.map((text) => Number(text.replaceAll(',', '')));
  };
  // Long lines are legal addresses too.
  const play = game.moves.map(({ uci }) => uci);
  for (const length of [play.length, 1]) {
    await page.goto(pageOf(archive, `explorer?play=${play.slice(0, length).join(',')}`));
    await expect(page.locator('.explorer')).toHaveAttribute('aria-busy', 'false');
    if (length > 1) {
      await expect(page.getByRole('row', { name: /^Game ends here/ })).toBeVisible();
    }
    const parts = [...(await counts('tbody')), ...(await counts('tfoot'))];
    const whole = parts.pop();
    expect(parts.reduce((sum, games) => sum + games, 0)).toBe(whole);
  }
});

test('a position that no game has says so', async ({ page, request }) => {
  const archive = await firstArchive(request);
  const start = 'NNNNNNNk/8/8/8/8/8/8/K7 w - - 0 1';
  expect(readPosition(start).error).toBeUndefined();
  await page.goto(pageOf(archive, `explorer?start=${encodeURIComponent(start)}`));
  await expect(page.getByText('No game has this position')).toBeVisible();
});
