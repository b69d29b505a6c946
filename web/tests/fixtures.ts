/** What all tests share: a page that may not fail silently, and data found through the server. */
import { type APIRequestContext, test as base, expect } from '@playwright/test';
import type { Archive, Game, GamesPage, PlayerNames } from '../src/api/types';

export { expect };

/** What the browser reports of errors, dialogs and the content security policy fails a test. */
export const test = base.extend<{ complaints: string[] }>({
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
      page.on('dialog', (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) complaints.push(message.text());
      });
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

async function get<T>(request: APIRequestContext, path: string): Promise<T> {
  const answer = await request.get(path);
  expect(answer.ok(), `${path}: ${answer.status()}`).toBe(true);
  return (await answer.json()) as T;
}

/** The first archive that has games. */
export async function firstArchive(request: APIRequestContext): Promise<Archive> {
  const archives = await get<Archive[]>(request, '/api/archives');
  const archive = archives.find(({ games }) => games > 0);
  if (!archive) throw new Error('the server has no archive with games');
  return archive;
}

const api = (archive: Archive) => `/api/archives/${encodeURIComponent(archive.name)}`;
export const pageOf = (archive: Archive, rest: string) =>
  `/a/${encodeURIComponent(archive.name)}/${rest}`;

/** The name with most games of those that are names. */
export async function frequentPlayer(request: APIRequestContext, archive: Archive) {
  const path = `${api(archive)}/players?limit=50`;
  const { players } = await get<PlayerNames>(request, path);
  const player = players.find(({ name }) => /^\p{L}{3}/u.test(name));
  if (!player) throw new Error('the archive has no player with a name of three letters');
  return player;
}

export async function games(request: APIRequestContext, archive: Archive, query = '') {
  return get<GamesPage>(request, `${api(archive)}/games?${query}`);
}

/** The first game among those of a filter that satisfies a condition; undefined without one. */
export async function findGame(
  request: APIRequestContext,
  archive: Archive,
  where: string,
  condition: (game: Game) => boolean,
): Promise<Game | undefined> {
  const query = new URLSearchParams({ where, limit: '60' }).toString();
  const page = await games(request, archive, query);
  for (const { number, error } of page.games) {
    if (error) continue;
    const game = await get<Game>(request, `${api(archive)}/games/${number}`);
    if (condition(game)) return game;
  }
  return undefined;
}

/** A game of chess from the start position with enough moves to step through. */
export async function playedGame(request: APIRequestContext, archive: Archive): Promise<Game> {
  const isPlayed = (game: Game) =>
    game.moves.length >= 8 &&
    game.moves_end_at === null &&
    !game.tags.some(([t]) => t === 'Variant');
  const game = await findGame(request, archive, 'plies >= 20 and not start?', isPlayed);
  if (!game) throw new Error('the archive has no game with twenty plies');
  return game;
}
