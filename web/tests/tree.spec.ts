/** The tree of a game, without a browser. */
import { expect, test } from '@playwright/test';
import type { Game, Move } from '../src/api/types';
import { fenOf, INITIAL_FEN } from '../src/chess/position';
import { endOf, pathTo, positionAt, sibling, treeOf } from '../src/chess/tree';

const move = (san: string, uci: string, lines: Move[][] = []): Move => ({
  san,
  uci,
  ...(lines.length > 0 ? { variations: lines.map((moves) => ({ moves })) } : {}),
});

const game = (moves: Move[], start_fen = INITIAL_FEN, tags: [string, string][] = []): Game => ({
  number: 1,
  tags,
  result: '*',
  start_fen,
  moves,
  moves_end_at: null,
  previous: null,
  next: null,
});

test('variations are in place of the move that has them', () => {
  const black = [move('c5', 'c7c5'), move('Nf3', 'g1f3')];
  const tree = treeOf(game([move('e4', 'e2e4'), move('e5', 'e7e5', [black]), move('Nc3', 'b1c3')]));
  const [, first, second] = tree.main;
  const other = sibling(tree, second ?? 0, 1) ?? 0;
  expect(tree.main).toHaveLength(4);
  expect(tree.nodes[other]?.san).toBe('c5');
  expect(tree.nodes[other]?.parent).toBe(first);
  expect(pathTo(tree, endOf(tree, other)).map(({ san }) => san)).toEqual(['', 'e4', 'c5', 'Nf3']);
  expect(sibling(tree, other, 1)).toBe(second);
});

test('nesting of any depth is read', () => {
  let line = [move('e4', 'e2e4')];
  for (let depth = 0; depth < 20_000; depth += 1) {
    line = depth % 2 === 0 ? [move('e4', 'e2e4', [line])] : [move('d4', 'd2d4', [line])];
  }
  expect(treeOf(game(line)).nodes).toHaveLength(20_002);
});

test('Chess960 castles by the squares of the king and its rook', () => {
  const start = 'nrkrbqnb/pppppppp/8/8/8/8/PPP5/NRKR3B w DBdb - 0 1';
  const tree = treeOf(game([move('O-O', 'c1d1')], start, [['Variant', 'Chess960']]));
  const position = positionAt(tree, 1);
  expect(position && fenOf(position)).toContain('NR3RKB b');
});

test('a move that is not legal ends the positions, not the tree', () => {
  const tree = treeOf(game([move('e4', 'e2e4'), move('Ke4', 'e8e4'), move('d4', 'd2d4')]));
  expect(tree.main).toHaveLength(4);
  expect(positionAt(tree, 1)).toBeDefined();
  expect(positionAt(tree, 2)).toBeUndefined();
  expect(positionAt(tree, 3)).toBeUndefined();
});

test('a null move passes', () => {
  const tree = treeOf(game([move('e4', 'e2e4'), move('--', '0000'), move('d4', 'd2d4')]));
  const position = positionAt(tree, 3);
  expect(position && fenOf(position)).toContain('3PP3/8/PPP2PPP/RNBQKBNR b');
});
