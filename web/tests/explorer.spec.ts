import type { Archive, Explorer } from '../src/api/types';
import { readPosition } from '../src/chess/position';
import { expect, findGame, firstArchive, pageOf, test } from './fixtures';

const moves = '.explorer-moves tbody tr';
const NO_GAME = 'No game with a result has this position';

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
  const field = page.getByRole('textbox', { name: 'Moves to play' });
  await field.fill('Nf3');
  await field.press('Enter');
  await expect(page).toHaveURL(/play=g1f3/);
  await field.pressSequentially('f5');
  await expect(page.locator('.cg-wrap.orientation-white')).toBeVisible();
  await field.press('Home');
  await expect(page).not.toHaveURL(/at=0/);
  await field.fill('Ke4');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Ke4 is not a legal move');
});

test('several moves are played as they are typed, or none', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'explorer?play=e2e4'));
  const field = page.getByRole('textbox', { name: 'Moves to play' });
  await field.fill('1... c5 2. Nf3 Kd4');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Kd4 is not a legal move');
  await expect(page).toHaveURL(/play=e2e4$/);
  await field.fill('1... c5 2.Nf3! $1 d7d6 3. d4');
  await field.press('Enter');
  await expect(page).toHaveURL(/play=e2e4%2Cc7c5%2Cg1f3%2Cd7d6%2Cd2d4$/);
  await expect(field).toHaveValue('');
});

test('an illegal move of the address is named', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'explorer?play=e2e4,e7e5,a1a5,g1f3'));
  await expect(page.getByRole('alert')).toContainText('a1a5');
  await expect(page.locator('.line .move')).toHaveCount(2);
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('alert')).toHaveCount(0);
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

test('the filter of the list is respected, unless a switch is off', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'games?result=1-0'));
  const asked = page.waitForRequest((sent) => /explorer\?/.test(sent.url()));
  await page.getByRole('link', { name: 'Explorer' }).click();
  const where = new URL((await asked).url()).searchParams.get('where');
  expect(where).toBe('Result = "1-0"');
  const box = page.getByRole('checkbox', { name: /Only the games of the list/ });
  await expect(box).toBeChecked();
  const all = page.waitForRequest((sent) => /explorer\?/.test(sent.url()));
  await box.uncheck();
  expect(new URL((await all).url()).searchParams.has('where')).toBe(false);
  await expect(page).toHaveURL(/games=all/);
  await page.locator(moves).first().click();
  await expect(page).toHaveURL(/play=/);
  await expect(box).not.toBeChecked();
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
  await expect(page.getByText(NO_GAME)).toBeVisible();
});

test('a position whose games are not counted is not said to have none', async ({
  page,
  request,
}) => {
  const archive = await firstArchive(request);
  const start = encodeURIComponent('NNNNNNNk/8/8/8/8/8/8/K7 w - - 0 1');
  // While the games that end here are loading.
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/archives/*/games?fen=*', async (route) => {
    await isAnswered;
    await route.fulfill({ json: { total: 3, offset: 0, games: [], next: null } });
  });
  const asked = page.waitForRequest('**/api/archives/*/games?fen=*');
  await page.goto(pageOf(archive, `explorer?start=${start}`));
  await asked;
  await expect(page.getByRole('row', { name: 'All moves 0' })).toBeVisible();
  await expect(page.getByText(NO_GAME)).toHaveCount(0);
  answer();
  await expect(page.getByRole('row', { name: 'All games 3' })).toBeVisible();
  await page.unroute('**/api/archives/*/games?fen=*');
  // In an archive without an index.
  await page.route('**/api/archives', async (route) => {
    const archives: Archive[] = await (await route.fetch()).json();
    await route.fulfill({ json: archives.map((other) => ({ ...other, has_index: false })) });
  });
  await page.reload();
  await expect(page.getByRole('row', { name: 'All moves 0' })).toBeVisible();
  await expect(page.getByText('Games without a result are not counted')).toBeVisible();
  await page.waitForTimeout(500);
  await expect(page.getByText(NO_GAME)).toHaveCount(0);
});

test('where the games that end are not counted, the sum is that of the moves', async ({
  page,
  request,
}) => {
  const archive = await firstArchive(request);
  await page.route('**/api/archives/*/explorer?*', async (route) => {
    const answer: Explorer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, white: 20_001 } });
  });
  await page.goto(pageOf(archive, 'explorer'));
  await expect(page.getByRole('row', { name: /^All moves 20,/ })).toBeVisible();
  await expect(page.getByText('All games')).toHaveCount(0);
});
