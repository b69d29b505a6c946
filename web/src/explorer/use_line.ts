import type { Color } from '@lichess-org/chessground/types';
import { useMemo } from 'preact/hooks';
import { fenOf, named, type Position, play, readPosition } from '../chess/position';
import type { Route } from '../state/route';
import { navigate } from '../state/router';
import { explorerHref, placeIn } from './explorer_address';

export interface LineMove {
  san: string;
  uci: string;
  ply: number;
}

export interface Line {
  moves: LineMove[];
  /** How many of the moves are played on the board. */
  at: number;
  position: Position | undefined;
  fen: string | undefined;
  /** Why there is no position. */
  error: string | undefined;
  /** The move of the address at which the line ends because it is not legal. */
  illegal: string | undefined;
}

/** Plays the moves of an address as far as they are legal. */
function read(query: URLSearchParams): Line {
  const place = placeIn(query);
  const start = readPosition(place.start);
  const moves: LineMove[] = [];
  const positions: (Position | undefined)[] = [start.position];
  for (const uci of place.play) {
    const before = positions.at(-1);
    const name = before && named(before, uci);
    if (!name) break;
    const whole = 2 * (before.fullmoves - 1);
    moves.push({ ...name, ply: whole + (before.turn === 'white' ? 1 : 2) });
    positions.push(play(before, uci));
  }
  const illegal = start.position && place.play[moves.length];
  const at = Math.min(place.at, moves.length);
  const position = positions[at];
  return { moves, at, position, fen: position && fenOf(position), error: start.error, illegal };
}

/** The line on the analysis board, which the address names, and how to change it. */
export function useLine(archive: string, route: Route, orientation: Color) {
  const line = useMemo(() => read(route.query), [route.query]);
  const { start } = placeIn(route.query);
  const moves = line.moves.map(({ uci }) => uci);
  const go = (at: number) => {
    const inside = Math.max(0, Math.min(moves.length, at));
    const to = explorerHref(archive, route.query, start, moves, orientation, inside);
    navigate(to, { replace: true });
  };
  /** Plays legal moves: the next ones of the line, or others in place of the rest. */
  const playMoves = (played: string[]) => {
    const end = line.at + played.length;
    if (played.every((uci, at) => uci === moves[line.at + at])) go(end);
    else {
      const all = [...moves.slice(0, line.at), ...played];
      navigate(explorerHref(archive, route.query, start, all, orientation));
    }
  };
  const playMove = (uci: string) => {
    const name = line.position && named(line.position, uci);
    if (name) playMoves([name.uci]);
  };
  return { line, go, playMove, playMoves };
}
