/** How long things take where each answer takes 100 ms, and how much of the archive they need. */
import { statSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, fileOf, heading, pageOf, seesGames, test } from './fixtures';
import type { StaticServer } from './server';

const DELAY = 100;
const ITALIAN = 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3';

/** The most requests of an action, and the most bytes in proportion to the archive. */
interface Limits {
  requests: number;
  share: number;
}

/** Prints what an action takes, and limits what it reads. */
async function measured(
  host: StaticServer,
  what: string,
  { requests, share }: Limits,
  act: () => Promise<void>,
) {
  host.takeArchiveLog();
  const start = Date.now();
  await act();
  const time = Date.now() - start;
  const log = host.takeArchiveLog();
  const bytes = log.reduce((sum, logged) => sum + logged.bytes, 0);
  console.log(`${what}: ${time} ms, ${log.length} requests, ${bytes} bytes`);
  // An archive of a user's own may have another shape.
  if (process.env.ARCHIVE) return;
  const { size } = statSync(fileOf('large.pgna'));
  expect(log.length, what).toBeLessThanOrEqual(requests);
  expect(bytes / size, what).toBeLessThan(share);
}

const show = (page: Page, address: string) =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, address);

/** Waits for a list that has a condition. */
async function listed(page: Page, condition: string) {
  await expect(page.getByRole('button', { name: condition })).toBeVisible();
  await expect(heading(page)).toHaveText(/^[\d,]+ games? of/);
  await expect(page.locator('.games')).toHaveAttribute('aria-busy', 'false', { timeout: 30_000 });
}

test('far from the host', async ({ page, host }) => {
  test.setTimeout(300_000);
  host.behave({ delay: DELAY });
  await measured(host, 'open', { requests: 6, share: 0.5 }, async () => {
    await page.goto(pageOf(host, `/large.pgna`));
    await seesGames(page);
  });
  await measured(host, 'first game', { requests: 3, share: 0.3 }, async () => {
    await show(page, `/a/large/game/300`);
    await expect(page.locator('.move-tree')).toBeVisible();
  });
  await measured(host, 'another game', { requests: 3, share: 0.3 }, async () => {
    await show(page, `/a/large/game/500`);
    await expect(page.getByText('Game 500')).toBeVisible();
    await expect(page.locator('.is-stale')).toHaveCount(0);
  });
  await measured(host, 'a player', { requests: 6, share: 0.9 }, async () => {
    await show(page, `/a/large/games?player=carlsen`);
    await listed(page, 'Remove Player');
  });
  await measured(host, 'a position', { requests: 60, share: 0.5 }, async () => {
    await show(page, `/a/large/games?fen=${encodeURIComponent(ITALIAN)}`);
    await listed(page, 'Remove the position');
  });
  await measured(host, 'the explorer', { requests: 12, share: 1 }, async () => {
    await show(page, `/a/large/explorer`);
    await expect(page.locator('.explorer-moves')).toBeVisible();
  });
  await measured(host, 'statistics', { requests: 12, share: 1 }, async () => {
    await show(page, `/a/large/stats`);
    await expect(page.getByRole('heading', { name: 'Results' })).toBeVisible();
  });
});
