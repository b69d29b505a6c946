import type { Player } from '../src/api/types';
import { expect, firstArchive, frequentPlayer, pageOf, test } from './fixtures';

test('a player has a record that leads to the games', async ({ page, request }) => {
  const archive = await firstArchive(request);
  const player = await frequentPlayer(request, archive);
  await page.goto(pageOf(archive, `player/${encodeURIComponent(player.name)}`));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(player.name);
  await expect(page.locator('.totals')).toContainText(player.games.toLocaleString('en'));
  await page.getByRole('link', { name: 'As White' }).click();
  await expect(page).toHaveURL(/side=white/);
  await expect(page.locator('#row-0 .white')).toContainText(player.name);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(player.name);
});

test('a player without games leads back to the games', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'player/nobody-of-this-name'));
  await expect(page.getByRole('alert')).toContainText('no record of nobody-of-this-name');
  await page.getByRole('link', { name: 'To the games' }).click();
  await expect(page.locator('#row-0')).toBeVisible();
});

test('a record that lacks games of a damaged archive says so', async ({ page, request }) => {
  const archive = await firstArchive(request);
  const player = await frequentPlayer(request, archive);
  await page.route('**/api/archives/*/player?*', async (route) => {
    const answer: Player = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, unread: ['block 3 is damaged'] } });
  });
  await page.goto(pageOf(archive, `player/${encodeURIComponent(player.name)}`));
  await page.getByText('games are missing here').click();
  await expect(page.getByText('block 3 is damaged')).toBeVisible();
});

test('statistics count the archive, or the games of the list', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'stats'));
  await expect(page.locator('.totals')).toContainText(archive.games.toLocaleString('en'));
  await page.getByRole('link', { name: /^1–0/ }).click();
  await expect(page).toHaveURL(/result=1-0/);
  await page.getByRole('link', { name: 'Statistics' }).click();
  await expect(page.getByText('Only the games of the list')).toBeVisible();
});
