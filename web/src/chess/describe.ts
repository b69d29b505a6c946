/** Positions and moves in words, for those who do not see the board. */
import type { SquareSet } from 'chessops/squareSet';
import { COLORS, ROLES, type Role } from 'chessops/types';
import { makeSquare } from 'chessops/util';
import type { Position } from './position';

const NAMES: Record<Role, string> = {
  king: 'king',
  queen: 'queen',
  rook: 'rook',
  bishop: 'bishop',
  knight: 'knight',
  pawn: 'pawn',
};

/** All pieces with their squares: `White: king g1, rooks a1 f1. Black: …`. */
export function describePosition(position: Position): string {
  const sides = COLORS.map((color) => {
    const groups = ROLES.toReversed().flatMap((role) => {
      const squares: SquareSet = position.board.pieces(color, role);
      if (squares.isEmpty()) return [];
      const name = NAMES[role] + (squares.size() > 1 ? 's' : '');
      return [`${name} ${[...squares].map(makeSquare).join(' ')}`];
    });
    return `${color === 'white' ? 'White' : 'Black'}: ${groups.join(', ') || 'nothing'}`;
  });
  const turn = position.turn === 'white' ? 'White' : 'Black';
  const check = position.isCheck() ? ', in check' : '';
  return `${sides.join('. ')}. ${turn} to move${check}.`;
}

const LETTERS: Record<string, string> = {
  K: 'king ',
  Q: 'queen ',
  R: 'rook ',
  B: 'bishop ',
  N: 'knight ',
};

/** A move in words: `Nxf3+` is `knight takes f3, check`. */
export function describeMove(san: string): string {
  if (san.startsWith('O-O-O')) return `castles long${ending(san)}`;
  if (san.startsWith('O-O')) return `castles short${ending(san)}`;
  const words = san
    .replace(/[+#!?]+$/, '')
    .replace(/=([QRBN])/, (_, letter: string) => ` becomes ${LETTERS[letter]?.trim()}`)
    .replace(/^[KQRBN]/, (letter) => LETTERS[letter] ?? letter)
    .replace('x', ' takes ')
    .replaceAll(/\s+/g, ' ');
  return words + ending(san);
}

function ending(san: string): string {
  if (san.includes('#')) return ', mate';
  return san.includes('+') ? ', check' : '';
}
