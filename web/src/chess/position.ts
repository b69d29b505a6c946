/** Positions: reading them, playing moves, and what a board needs to show them. */
import type { Key } from '@lichess-org/chessground/types';
import { IllegalSetup } from 'chessops/chess';
import { chessgroundDests, chessgroundMove } from 'chessops/compat';
import { EMPTY_FEN, INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { makeSan, parseSan } from 'chessops/san';
import { isNormal, type Move, type Role, type Rules } from 'chessops/types';
import { makeUci, opposite, parseUci, squareRank } from 'chessops/util';
import { normalizeMove, type Position, setupPosition } from 'chessops/variant';

export { EMPTY_FEN, INITIAL_FEN, type Position };

/** A position, or why there is none. */
export type Read =
  | { position: Position; error?: undefined }
  | { position?: undefined; error: string };

const FEN_ERRORS: Record<string, string> = {
  ERR_FEN: 'This is not a FEN.',
  ERR_BOARD: 'The pieces of the FEN are not eight ranks of eight squares.',
  ERR_POCKETS: 'The pockets of the FEN cannot be read.',
  ERR_TURN: 'The side to move must be w or b.',
  ERR_CASTLING: 'The castling rights cannot be read.',
  ERR_EP_SQUARE: 'The en-passant square is not a square.',
  ERR_REMAINING_CHECKS: 'The remaining checks cannot be read.',
  ERR_HALFMOVES: 'The halfmove clock is not a number.',
  ERR_FULLMOVES: 'The move number is not a number.',
};

const SETUP_ERRORS: Record<string, string> = {
  [IllegalSetup.Empty]: 'The board is empty.',
  [IllegalSetup.OppositeCheck]: 'The side that is not to move is in check.',
  [IllegalSetup.PawnsOnBackrank]: 'There are pawns on the first or last rank.',
  [IllegalSetup.Kings]: 'Each side needs one king.',
  [IllegalSetup.Variant]: 'The rules of the variant do not allow this position.',
};

/** Reads a FEN and checks that the rules allow the position. */
export function readPosition(fen: string, rules: Rules = 'chess'): Read {
  const setup = parseFen(fen.trim());
  if (setup.isErr) return { error: FEN_ERRORS[setup.error.message] ?? 'This is not a FEN.' };
  const position = setupPosition(rules, setup.value);
  return position.isErr
    ? { error: SETUP_ERRORS[position.error.message] ?? 'The rules do not allow this position.' }
    : { position: position.value };
}

const RULES = new Map<string, Rules>([
  ['atomic', 'atomic'],
  ['antichess', 'antichess'],
  ['giveaway', 'antichess'],
  ['suicide', 'antichess'],
  ['kingofthehill', 'kingofthehill'],
  ['threecheck', '3check'],
  ['3check', '3check'],
  ['crazyhouse', 'crazyhouse'],
  ['racingkings', 'racingkings'],
  ['horde', 'horde'],
]);

/** The rules that the tag Variant names; those of chess if it names none that is known. */
export function rulesOf(variant: string | undefined): Rules {
  return RULES.get((variant ?? '').toLowerCase().replaceAll(/[^a-z0-9]/g, '')) ?? 'chess';
}

/** The position after a move in UCI; undefined if it is not legal. `0000` and `--` pass. */
export function play(position: Position, uci: string): Position | undefined {
  const next = position.clone();
  if (uci === '0000' || uci === '--') {
    next.turn = opposite(next.turn);
    next.epSquare = undefined;
    if (next.turn === 'white') next.fullmoves += 1;
    return next;
  }
  const move = legalMove(position, uci);
  if (!move) return undefined;
  next.play(move);
  return next;
}

function legalMove(position: Position, uci: string): Move | undefined {
  const parsed = parseUci(uci);
  if (!parsed) return undefined;
  const move = normalizeMove(position, parsed);
  return position.isLegal(move) ? move : undefined;
}

export function fenOf(position: Position): string {
  return makeFen(position.toSetup());
}

/** A move as SAN and normalized UCI; undefined if it is not legal. */
export function named(position: Position, uci: string): { san: string; uci: string } | undefined {
  const move = legalMove(position, uci);
  return move && { san: makeSan(position, move), uci: makeUci(move) };
}

/** Moves in UCI, or the one that is not legal. */
export type Typed = { moves: string[]; illegal?: undefined } | { illegal: string };

/** What is written between moves: their numbers, glyphs, a result. */
const BETWEEN = /^(?:\d+[.…]*|[.…]+|\$\d+|[!?]+|1-0|0-1|1\/2-1\/2|\*)?$/;

/** Reads moves that are typed as SAN or UCI, with or without numbers: `1... c5 2. Nf3`. */
export function typedMoves(position: Position, text: string): Typed {
  const now = position.clone();
  const moves: string[] = [];
  for (const word of text.split(/\s+/)) {
    const name = word.replace(/^\d*[.…]+/, '').replace(/[!?]+$/, '');
    if (BETWEEN.test(name)) continue;
    const move = parseSan(now, name) ?? legalMove(now, name.toLowerCase());
    if (!move) return { illegal: name };
    moves.push(makeUci(move));
    now.play(move);
  }
  return { moves };
}

/** The squares to highlight for a move. */
export function squaresOf(uci: string | undefined): Key[] {
  const move = uci ? parseUci(uci) : undefined;
  return move ? (chessgroundMove(move) as Key[]) : [];
}

export function destinations(position: Position): Map<Key, Key[]> {
  return chessgroundDests(position) as Map<Key, Key[]>;
}

/** Whether a move from one square to another promotes a pawn. */
export function isPromotion(position: Position, from: string, to: string): boolean {
  const move = parseUci(from + to);
  if (!move || !isNormal(move)) return false;
  const last = squareRank(move.to) === 0 || squareRank(move.to) === 7;
  return last && position.board.get(move.from)?.role === 'pawn';
}

const PROMOTIONS: Partial<Record<Role, string>> = {
  queen: 'q',
  rook: 'r',
  bishop: 'b',
  knight: 'n',
};

/** The UCI of a move on the board. */
export function uciOf(from: string, to: string, promotion?: Role): string {
  return from + to + (promotion ? (PROMOTIONS[promotion] ?? '') : '');
}
