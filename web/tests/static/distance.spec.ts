/** How long things take where each answer takes 100 ms, and how much of the archive they need. */
import type { Page } from '@playwright/test';
import { expect, heading, pageOf, seesGames, test } from './fixtures';
import type { StaticServer } from './server';

const DELAY = 100;
const ITALIAN = 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3';

/** Prints what an action takes. */
async function measured(host: StaticServer, what: string, act: () => Promise<void>) {
  host.takeArchiveLog();
  const start = Date.now();
  await act();
  const time = Date.now() - start;
  const log = host.takeArchiveLog();
  const bytes = log.reduce((sum, logged) => sum + logged.bytes, 0);
  console.log(`${what}: ${time} ms, ${log.length} requests, ${bytes} bytes`);
}

const show = (page: Page, address: string) =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, address);

/** Waits for a list that has a condition. */
async function listed(page: Page, condition: string) {
  await expect(page.getByRole('button', { name: condition })).toBeVisible();
  await expect(heading(page)).toHaveText(/^[\d,]+ games? of/);
  await expect(page.locator('.games')).toHaveAttribute('aria-busy', 'false');
}

test('far from the host', async ({ page, host }) => {
  test.setTimeout(120_000);
  host.behave({ delay: DELAY });
  await measured(host, 'open', async () => {
    await page.goto(pageOf(host, `/large.pgna`));
    await seesGames(page);
  });
  await measured(host, 'first game', async () => {
    await show(page, `/a/large/game/300`);
    await expect(page.locator('.move-tree')).toBeVisible();
  });
  await measured(host, 'another game', async () => {
    await show(page, `/a/large/game/500`);
    await expect(page.getByText('Game 500')).toBeVisible();
    await expect(page.locator('.is-stale')).toHaveCount(0);
  });
  await measured(host, 'a player', async () => {
    await show(page, `/a/large/games?player=carlsen`);
    await listed(page, 'Remove Player');
  });
  await measured(host, 'a position', async () => {
    await show(page, `/a/large/games?fen=${encodeURIComponent(ITALIAN)}`);
    await listed(page, 'Remove the position');
  });
  await measured(host, 'the explorer', async () => {
    await show(page, `/a/large/explorer`);
    await expect(page.locator('.explorer-moves')).toBeVisible();
  });
  await measured(host, 'statistics', async () => {
    await show(page, `/a/large/stats`);
    await expect(page.getByRole('heading', { name: 'Results' })).toBeVisible();
  });
});
