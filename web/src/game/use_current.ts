import { useMemo } from 'preact/hooks';
import { fenOf } from '../chess/position';
import { positionAt, type Tree } from '../chess/tree';
import { href, type Route, withParams } from '../state/route';
import { navigate } from '../state/router';

/**
 * The node shown, which the address names: `ply` on the main line, counted from the start of the
 * game, and `move`, a place in the list of nodes, in variations. With neither it is the position
 * `fen` for which games were looked, if there is one.
 */
export function currentOf(tree: Tree, query: URLSearchParams): number {
  const move = Number(query.get('move'));
  if (Number.isSafeInteger(move) && move > 0 && tree.nodes[move]) return move;
  const fen = query.get('fen');
  if (fen && !query.has('ply')) return reaching(tree, fen);
  const ply = Number(query.get('ply'));
  const inside = Number.isSafeInteger(ply) ? Math.max(0, Math.min(tree.main.length - 1, ply)) : 0;
  return tree.main[inside] ?? 0;
}

/** A FEN without its counters of moves. */
const boardOf = (fen: string) => fen.split(' ').slice(0, 4).join(' ');

/** The first node of the main line with a position; the start if there is none. */
function reaching(tree: Tree, fen: string): number {
  const sought = boardOf(fen);
  const isSought = (id: number) => {
    const position = positionAt(tree, id);
    return position !== undefined && boardOf(fenOf(position)) === sought;
  };
  return tree.main.find(isSought) ?? 0;
}

/** The parameters of an address that shows a node. */
export function placeOf(tree: Tree, id: number): { ply: number | null; move: number | null } {
  const ply = tree.main.indexOf(id);
  return ply >= 0 ? { ply: ply || null, move: null } : { ply: null, move: id };
}

export function useCurrent(archive: string, tree: Tree, game: number, route: Route) {
  const current = useMemo(() => currentOf(tree, route.query), [tree, route.query]);
  const go = (id: number) => {
    const place = placeOf(tree, id);
    // Where a FEN is in the address, the start of the game has to be named.
    const ply = place.ply ?? (place.move === null && route.query.has('fen') ? 0 : null);
    const query = withParams(route.query, { ...place, ply });
    navigate(href(archive, 'game', game, query), { replace: true });
  };
  return { current, go };
}
