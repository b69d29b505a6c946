/** A board that is set up, as the texts in which `pgna find` takes it. */

import type { Board } from 'chessops/board';
import { parseBoardFen } from 'chessops/fen';
import { COLORS, type Piece, ROLES } from 'chessops/types';
import { makeSquare, roleToChar } from 'chessops/util';

function letter({ color, role }: Piece): string {
  const char = roleToChar(role);
  return color === 'white' ? char.toUpperCase() : char;
}

function boardOf(boardFen: string): Board | undefined {
  const board = parseBoardFen(boardFen);
  return board.isOk ? board.value : undefined;
}

/** The pieces with their squares: `Nd5 pd6`. */
export function patternOf(boardFen: string): string {
  const board = boardOf(boardFen);
  if (!board) return '';
  return [...board].map(([square, piece]) => letter(piece) + makeSquare(square)).join(' ');
}

/** The pieces without squares, White's first and kings first: `KRPkr`. */
export function materialOf(boardFen: string): string {
  const board = boardOf(boardFen);
  if (!board) return '';
  const pieces = COLORS.flatMap((color) =>
    ROLES.toReversed().map((role) =>
      letter({ color, role }).repeat(board.pieces(color, role).size()),
    ),
  );
  return pieces.join('');
}
