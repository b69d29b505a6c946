import type { Steps } from '../board/step_buttons';
import { useKeys } from '../board/use_keys';
import { endOf, sibling, type Tree } from '../chess/tree';
import { navigate } from '../state/router';
import type { Neighbours } from './use_neighbours';

interface StepOptions {
  tree: Tree;
  current: number;
  neighbours: Neighbours;
  onGo: (id: number) => void;
  onFlip: () => void;
}

/** The steps through a game, and the keys that make them. */
export function useSteps({ tree, current, neighbours, onGo, onFlip }: StepOptions): Steps {
  const node = tree.nodes[current];
  const steps = {
    first: () => onGo(0),
    previous: () => onGo(Math.max(0, node?.parent ?? 0)),
    next: () => onGo(node?.children[0] ?? current),
    last: () => onGo(endOf(tree, current)),
  };
  const toSibling = (step: 1 | -1) => onGo(sibling(tree, current, step) ?? current);
  const open = (address: string | undefined) => address && navigate(address);
  useKeys({
    ArrowLeft: steps.previous,
    ArrowRight: steps.next,
    Home: steps.first,
    End: steps.last,
    ArrowUp: () => toSibling(-1),
    ArrowDown: () => toSibling(1),
    f: onFlip,
    '[': () => open(neighbours.previous),
    ']': () => open(neighbours.next),
  });
  return steps;
}
