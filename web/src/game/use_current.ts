import { useMemo } from 'preact/hooks';
import type { Tree } from '../chess/tree';
import { href, type Route, withParams } from '../state/route';
import { navigate } from '../state/router';

/**
 * The node shown, which the address names: `ply` on the main line, counted from the start of the
 * game, and `move`, a place in the list of nodes, in variations.
 */
export function currentOf(tree: Tree, query: URLSearchParams): number {
  const move = Number(query.get('move'));
  if (Number.isSafeInteger(move) && move > 0 && tree.nodes[move]) return move;
  const ply = Number(query.get('ply'));
  const inside = Number.isSafeInteger(ply) ? Math.max(0, Math.min(tree.main.length - 1, ply)) : 0;
  return tree.main[inside] ?? 0;
}

/** The parameters of an address that shows a node. */
export function placeOf(tree: Tree, id: number): { ply: number | null; move: number | null } {
  const ply = tree.main.indexOf(id);
  return ply >= 0 ? { ply: ply || null, move: null } : { ply: null, move: id };
}

export function useCurrent(archive: string, tree: Tree, game: number, route: Route) {
  const current = useMemo(() => currentOf(tree, route.query), [tree, route.query]);
  const go = (id: number) => {
    const query = withParams(route.query, placeOf(tree, id));
    navigate(href(archive, 'game', game, query), { replace: true });
  };
  return { current, go };
}
