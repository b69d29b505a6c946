import { expect, firstArchive, pageOf, test } from './fixtures';

test('a FEN is set up, and the exact position is found', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'search'));
  const field = page.getByRole('textbox', { name: 'FEN' });
  await field.fill('rnbqkbnr/pppppppp/8/8/8/8/PPPP w');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('status').filter({ hasText: 'eight' })).toBeVisible();
  await field.fill('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1');
  await expect(page).toHaveURL(/board=/);
  await expect(page.getByRole('radio', { name: 'Black', exact: true })).toBeChecked();
  await page.getByRole('link', { name: 'Find games' }).click();
  await expect(page).toHaveURL(/\/games\?fen=/);
  await expect(page.locator('.chip-board')).toBeVisible();
  await page.goBack();
  await expect(field).toHaveValue(/4P3/);
});

test('pieces are chosen and clicked down, and looked for as a pattern', async ({
  page,
  request,
}) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'search'));
  await page.getByRole('button', { name: 'Clear board' }).click();
  await page.getByRole('button', { name: 'white knight' }).click();
  const box = await page.locator('cg-board').boundingBox();
  if (!box) throw new Error('there is no board');
  await page.mouse.click(box.x + (box.width * 3.5) / 8, box.y + (box.height * 3.5) / 8);
  await expect(page).toHaveURL(/board=8%2F8%2F8%2F3N4/);
  await page.getByRole('radio', { name: /These pieces/ }).check();
  await expect(page.getByRole('textbox', { name: 'Pieces' })).toHaveValue('Nd5');
  await page.getByRole('checkbox', { name: /colours reversed/ }).check();
  await page.getByRole('link', { name: 'Find games' }).click();
  await expect(page).toHaveURL(/pattern=Nd5&flip=true/);
  await expect(page.getByText('Pieces', { exact: true })).toBeVisible();
});

test('a piece is dragged from the palette', async ({ page, request }) => {
  const archive = await firstArchive(request);
  await page.goto(pageOf(archive, 'search'));
  await page.getByRole('button', { name: 'Clear board' }).click();
  const from = await page.getByRole('button', { name: 'black queen' }).boundingBox();
  const box = await page.locator('cg-board').boundingBox();
  if (!from || !box) throw new Error('there is no board');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 50, box.y + 200, { steps: 5 });
  await page.mouse.move(box.x + box.width / 16, box.y + box.height / 16, { steps: 5 });
  await page.mouse.up();
  await expect(page).toHaveURL(/board=q7%2F8/);
});

test('the button is seen in all modes', async ({ page, request }) => {
  const archive = await firstArchive(request);
  for (const mode of ['exact', 'pattern', 'material', 'position']) {
    await page.goto(pageOf(archive, `search?mode=${mode}`));
    await expect(page.getByText('Find games')).toBeInViewport({ ratio: 1 });
  }
});

test('the material of the board can be looked for', async ({ page, request }) => {
  const archive = await firstArchive(request);
  const board = encodeURIComponent('8/8/4k3/r7/8/3KP3/3R4/8 w - - 0 1');
  await page.goto(pageOf(archive, `search?board=${board}&mode=material`));
  const field = page.getByRole('textbox', { name: 'Material' });
  await expect(field).toHaveValue('KRPkr');
  await field.fill('KRP+kr');
  await page.getByRole('link', { name: 'Find games' }).click();
  await expect(page).toHaveURL(/material=KRP%2Bkr/);
});

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a piece is chosen and tapped down', async ({ page, request }) => {
    const archive = await firstArchive(request);
    await page.goto(pageOf(archive, 'search?board=8/8/8/8/8/8/8/8+w+-+-+0+1'));
    await page.getByRole('button', { name: 'white rook' }).tap();
    const box = await page.locator('cg-board').boundingBox();
    if (!box) throw new Error('there is no board');
    await page.touchscreen.tap(box.x + box.width / 16, box.y + (box.height * 15) / 16);
    await expect(page).toHaveURL(/board=8%2F8%2F8%2F8%2F8%2F8%2F8%2FR7/);
  });
});
