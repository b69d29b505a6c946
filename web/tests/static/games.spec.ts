/** Games and questions about them, which the worker answers. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, fileOf, heading, pageOf, seesGames, test } from './fixtures';
import { pgna } from './pgna';

const worker = () => readdirSync('static/assets').find((name) => /^main-.*\.js$/.test(name));

test('every game is byte for byte that of the program', async ({ page, host }) => {
  test.setTimeout(120_000);
  const expected = pgna('view', fileOf('data.pgna'), '1-').toString('latin1');
  await page.goto(pageOf(host));
  const urls = { script: `assets/${worker()}`, archive: `${host.origin}/data.pgna` };
  const texts = await page.evaluate(async ({ script, archive }) => {
    const reader = new Worker(script, { type: 'module' });
    const ask = (route: string): Promise<ArrayBuffer> => {
      reader.postMessage({ route });
      return new Promise((resolve, reject) => {
        reader.onmessage = ({ data }) => {
          if (data.body) resolve(data.body);
          else if (data.error) reject(new Error(`${route}: ${data.error}`));
        };
      });
    };
    reader.postMessage({ place: archive });
    const { games } = JSON.parse(new TextDecoder().decode(await ask('')));
    const texts: string[] = [];
    for (let number = 1; number <= games; number += 1) {
      const bytes = new Uint8Array(await ask(`/games/${number}/pgn`));
      texts.push(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    }
    return texts;
  }, urls);
  expect(texts.length).toBeGreaterThan(600);
  expect(texts.join('') === expected, 'the bytes of all games').toBe(true);
});

test('a game from an impossible position is shown as text', async ({ page, host }) => {
  await page.goto(pageOf(host, '/odd.pgna', '/a/odd/game/1'));
  await expect(page.getByText('This game cannot be shown on the board')).toBeVisible();
  await page.getByText('The text of the game').click();
  await expect(page.locator('pre')).toContainText('1. e4 *');
});

test('a game is copied and saved as it is in the archive', async ({ page, host }) => {
  await page.goto(pageOf(host, '/data.pgna', '/a/data/game/1'));
  await page.getByRole('button', { name: 'Download' }).waitFor();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('data-1.pgn');
  const expected = pgna('view', fileOf('data.pgna'), '1');
  expect(readFileSync(await saved.path()).equals(expected)).toBe(true);
});

/** How many games the program finds. */
const found = (...query: string[]) =>
  Number(pgna('find', fileOf('data.pgna'), ...query, '--count').toString());

test('a player', async ({ page, host }) => {
  const all = found('-w', 'plies >= 0');
  const some = found('-w', 'player ~ "an"');
  await page.goto(pageOf(host, '/data.pgna'));
  await page.getByRole('combobox', { name: 'Player' }).fill('an');
  await expect(page.getByRole('listbox', { name: 'Player' })).toBeVisible();
  await expect(heading(page)).toHaveText(`${some} games of ${all}`);
  await page.goto(pageOf(host, '/data.pgna', '/a/data/stats'));
  await page.locator('.figures-columns').getByRole('link').last().click();
  await expect(page).toHaveURL(/\/a\/data\/player\/.+/);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('the explorer, and the games with a position', async ({ page, host }) => {
  await page.goto(pageOf(host, '/data.pgna', '/a/data/explorer'));
  await page.locator('.explorer-moves tbody tr').first().click();
  await expect(page).toHaveURL(/play=e2e4$/);
  await expect(page.getByRole('img', { name: /Black to move/ })).toBeVisible();
  await page.getByRole('link', { name: 'Games with this position' }).click();
  const fen = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1';
  await expect(heading(page)).toHaveText(new RegExp(`^${found('--fen', fen)} games of`));
  await page.goBack();
  await page.getByRole('link', { name: 'Edit position' }).click();
  await expect(page.locator('.search-page, .editor-board, cg-board').first()).toBeVisible();
});

test('an error in an expression is that of the reader', async ({ page, host }) => {
  await page.goto(pageOf(host, '/data.pgna', '/a/data/games?where=White+~~+foo'));
  await expect(page.locator('.advanced [role=alert]')).toContainText('at character');
});

test('a game that does not exist is said to be absent', async ({ page, host }) => {
  await page.goto(pageOf(host, '/data.pgna', '/a/data/game/100000'));
  await expect(page.getByRole('alert')).toContainText('There is no game 100,000');
  await page.getByRole('link', { name: 'To the list' }).click();
  await seesGames(page);
});
