/** The position that is set up, as the parts of a FEN; the address has it as `board`. */
import { INITIAL_FEN, readPosition } from '../chess/position';

export interface Setup {
  board: string;
  turn: 'w' | 'b';
  /** Of `KQkq`. */
  castling: string;
  enPassant: string;
}

export const EMPTY_BOARD = '8/8/8/8/8/8/8/8';

export function readSetup(fen: string | null): Setup {
  const [board = EMPTY_BOARD, turn, castling, enPassant = '-'] = (fen || INITIAL_FEN)
    .trim()
    .split(/\s+/);
  return {
    board,
    turn: turn === 'b' ? 'b' : 'w',
    castling: !castling || castling === '-' ? '' : castling,
    enPassant,
  };
}

export function fenOfSetup({ board, turn, castling, enPassant }: Setup): string {
  return `${board} ${turn} ${castling || '-'} ${enPassant} 0 1`;
}

/** Why a setup is no position; undefined if it is one. */
export function setupError(setup: Setup): string | undefined {
  return readPosition(fenOfSetup(setup)).error;
}

/** The rights that kings and rooks on their first squares allow. */
export function possibleCastling(board: string): string[] {
  const squares = board
    .split('/')
    .map((rank) => rank.replaceAll(/\d/g, (n) => '.'.repeat(Number(n))));
  const at = (rank: number, file: number) => squares[rank]?.[file];
  const rights: [string, boolean][] = [
    ['K', at(7, 4) === 'K' && at(7, 7) === 'R'],
    ['Q', at(7, 4) === 'K' && at(7, 0) === 'R'],
    ['k', at(0, 4) === 'k' && at(0, 7) === 'r'],
    ['q', at(0, 4) === 'k' && at(0, 0) === 'r'],
  ];
  return rights.flatMap(([right, isPossible]) => (isPossible ? [right] : []));
}

/** The setup after its board has changed: what no longer can be is dropped. */
export function withBoard(setup: Setup, board: string): Setup {
  const possible = possibleCastling(board);
  const castling = [...setup.castling].filter((right) => possible.includes(right)).join('');
  return { ...setup, board, castling, enPassant: '-' };
}
