/** The worker: what it is asked, and what happens when it fails. */
import type { Page } from '@playwright/test';
import { expect, pageOf, seesGames, test } from './fixtures';

const WORKER = '**/assets/main-*.js';
const MODELS = '**/assets/*.model';

/** Lets the reader fail at the first question after it has opened the archive. */
const FAILING = `
  const real = WebAssembly.instantiate;
  WebAssembly.instantiate = async (...all) => {
    const { exports } = await real(...all);
    let questions = 0;
    const answer = (...question) => {
      questions += 1;
      if (questions > 1) throw new WebAssembly.RuntimeError('unreachable');
      return exports.answer(...question);
    };
    return { exports: { ...exports, answer } };
  };
`;

const show = (page: Page, address: string) =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, address);

test('a reader that fails is started again', async ({ page, host }) => {
  let workers = 0;
  page.on('worker', () => {
    workers += 1;
  });
  await page.route(WORKER, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: FAILING + (await answer.text()) });
  });
  await page.goto(pageOf(host, '/data.pgna', '/a/data/stats'));
  await expect(page.getByRole('alert')).toContainText('The reader of archives failed: unreachable');
  await show(page, '/a/data/game/1');
  await expect(page.locator('.move-tree')).toBeVisible();
  expect(workers).toBeGreaterThan(1);
});

test('a model that does not come, and then does', async ({ page, host }) => {
  await page.route(MODELS, (route) => route.abort());
  await page.goto(pageOf(host, '/data.pgna', '/a/data/stats'));
  await expect(page.getByRole('alert')).toContainText('model that reads the moves');
  await page.unroute(MODELS);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'Results' })).toBeVisible();
  await expect(page.locator('.unread')).toHaveCount(0);
});

test('the reader comes with any type', async ({ page, host }) => {
  await page.route('**/*.wasm', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, headers: { 'content-type': 'text/plain' } });
  });
  await page.goto(pageOf(host, '/data.pgna'));
  await seesGames(page);
});

test('what is not waited for any more is not asked', async ({ page, host }) => {
  await page.addInitScript(() => {
    const asked: string[] = [];
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message) {
      if (message.route) asked.push(message.route);
      post.call(this, message);
    };
    Object.assign(window, { asked });
  });
  // The reader waits for its model and cannot hear of anything.
  await page.route(MODELS, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await route.continue();
  });
  await page.goto(pageOf(host, '/data.pgna', '/a/data/stats'));
  await expect(page.locator('.loading')).toBeVisible();
  const asked = await page.evaluate(async () => {
    for (const name of ['stats', 'games?sort=Date', 'games?sort=White', 'explorer']) {
      location.hash = `/a/data/${name}`;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return (window as unknown as { asked: string[] }).asked;
  });
  await expect(page.locator('.explorer-moves')).toBeVisible();
  expect(asked.filter((route) => route.includes('sort='))).toEqual([]);
});

test('long work for nobody ends', async ({ page, host }) => {
  test.setTimeout(60_000);
  let workers = 0;
  page.on('request', (request) => {
    if (/assets\/main-/.test(request.url())) workers += 1;
  });
  await page.goto(pageOf(host, '/large.pgna'));
  await seesGames(page);
  host.behave({ delay: 20_000 });
  await show(page, '/a/large/stats');
  await expect(page.locator('.loading')).toBeVisible();
  await page.waitForTimeout(500);
  host.behave({});
  await show(page, '/a/large/game/300');
  await expect(page.locator('.move-tree')).toBeVisible({ timeout: 15_000 });
  expect(workers).toBe(2);
});
