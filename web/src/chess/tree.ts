/** A game as a tree of moves, in one flat list. Nesting of any depth is read without recursion. */
import type { Evaluation, Game, Move, Shapes, Variation } from '../api/types';
import { type Position, play, readPosition, rulesOf } from './position';

export interface Node {
  /** The place in the list; the start of the game is 0. */
  id: number;
  parent: number;
  /** Counted so that odd plies are White's, and half of them is the number of the move. */
  ply: number;
  depth: number;
  san: string;
  uci: string;
  nags: number[];
  /** Comments before the first move of a variation, or of the game. */
  opening: string[];
  comments: string[];
  clock: number | undefined;
  eval: Evaluation | undefined;
  shapes: Shapes | undefined;
  /** The continuation first, then the variations in place of it. */
  children: number[];
}

export interface Tree {
  nodes: Node[];
  /** The ids of the main line, the start first: the index is the number of plies played. */
  main: number[];
  start: Position | undefined;
  /** Why the game has no start position. */
  error: string | undefined;
}

interface Line {
  parent: number;
  depth: number;
  moves: Move[];
  comments: string[];
}

export function tagOf(game: Game, name: string): string | undefined {
  return game.tags.find(([tag]) => tag === name)?.[1];
}

export function treeOf(game: Game): Tree {
  const { position: start, error } = startOf(game);
  const firstPly = start ? 2 * (start.fullmoves - 1) + (start.turn === 'white' ? 0 : 1) : 0;
  const nodes: Node[] = [root(firstPly, game.comments ?? [])];
  const pending: Line[] = [{ parent: 0, depth: 0, moves: game.moves, comments: [] }];
  for (let line = pending.pop(); line; line = pending.pop()) {
    pending.push(...addLine(nodes, line).toReversed());
  }
  return { nodes, main: mainLine(nodes), start, error };
}

/** The start position, or why the game has none; then its tag FEN says more than the archive. */
function startOf(game: Game) {
  const fen = game.start_fen ?? tagOf(game, 'FEN') ?? '';
  const read = readPosition(fen, rulesOf(tagOf(game, 'Variant')));
  const isPlayable = game.start_fen !== null || read.error !== undefined;
  return isPlayable ? read : { error: 'The rules do not allow this position.' };
}

function root(ply: number, comments: string[]): Node {
  return {
    id: 0,
    parent: -1,
    ply,
    depth: 0,
    san: '',
    uci: '',
    nags: [],
    opening: [],
    comments,
    clock: undefined,
    eval: undefined,
    shapes: undefined,
    children: [],
  };
}

/** Adds the moves of a line and returns the variations that it has. */
function addLine(nodes: Node[], line: Line): Line[] {
  const variations: Line[] = [];
  let parent = nodes[line.parent];
  let opening = line.comments;
  for (const move of line.moves) {
    if (!parent) break;
    const node = nodeOf(move, nodes.length, parent, line.depth, opening);
    nodes.push(node);
    parent.children.push(node.id);
    const { id } = parent;
    const lines = (move.variations ?? []).filter((variation) => variation.moves.length > 0);
    variations.push(...lines.map((variation) => lineOf(variation, id, line.depth + 1)));
    parent = node;
    opening = [];
  }
  return variations;
}

function lineOf({ moves, comments }: Variation, parent: number, depth: number): Line {
  return { parent, depth, moves, comments: comments ?? [] };
}

function nodeOf(move: Move, id: number, parent: Node, depth: number, opening: string[]): Node {
  return {
    id,
    parent: parent.id,
    ply: parent.ply + 1,
    depth,
    san: move.san,
    uci: move.uci,
    nags: move.nags ?? [],
    opening,
    comments: move.comments ?? [],
    clock: move.clock,
    eval: move.eval,
    shapes: move.shapes,
    children: [],
  };
}

function mainLine(nodes: Node[]): number[] {
  const ids = [0];
  for (let next = nodes[0]?.children[0]; next !== undefined; next = nodes[next]?.children[0]) {
    ids.push(next);
  }
  return ids;
}

/** The nodes from the start to this one. */
export function pathTo(tree: Tree, id: number): Node[] {
  const path: Node[] = [];
  for (let node = tree.nodes[id]; node; node = tree.nodes[node.parent]) path.push(node);
  return path.reverse();
}

/** The positions of nodes that were asked for, from which those after them are quickly reached. */
const positions = new WeakMap<Tree, Map<number, Position | undefined>>();

/** The position at a node; undefined if a move on the way cannot be played. */
export function positionAt(tree: Tree, id: number): Position | undefined {
  const known = positions.get(tree) ?? new Map([[0, tree.start]]);
  positions.set(tree, known);
  const toPlay: Node[] = [];
  let node = tree.nodes[id];
  for (; node && !known.has(node.id); node = tree.nodes[node.parent]) toPlay.push(node);
  let position = node && known.get(node.id);
  for (const { uci } of toPlay.reverse()) position = position && play(position, uci);
  known.set(id, position);
  return position;
}

/** The next of the variations at a node, in a circle, or the one before. */
export function sibling(tree: Tree, id: number, step: 1 | -1): number | undefined {
  const node = tree.nodes[id];
  const siblings = (node && tree.nodes[node.parent]?.children) ?? [];
  const at = siblings.indexOf(id);
  return at < 0 ? undefined : siblings.at((at + step) % siblings.length);
}

/** The last node of the line that a node is in. */
export function endOf(tree: Tree, id: number): number {
  let last = id;
  for (let next = tree.nodes[id]?.children[0]; next !== undefined; ) {
    last = next;
    next = tree.nodes[next]?.children[0];
  }
  return last;
}

/** The last clocks of White and Black up to a node. */
export function clocksAt(tree: Tree, id: number): { white?: number; black?: number } {
  const clocks: { white?: number; black?: number } = {};
  for (const node of pathTo(tree, id)) {
    if (node.clock === undefined) continue;
    if (node.ply % 2 === 1) clocks.white = node.clock;
    else clocks.black = node.clock;
  }
  return clocks;
}
