import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { pathTo, type Tree } from '../chess/tree';
import { usePreference } from '../state/preferences';
import { shownResult } from '../ui/format';
import { MainLine } from './main_line';

interface TreeProps {
  tree: Tree;
  current: number;
  result: string | null;
  onGo: (id: number) => void;
}

/** What all parts of the tree need to know. */
export interface TreeView {
  tree: Tree;
  current: number;
  /** The nodes on the way to the current one, whose variations are unfolded. */
  onPath: Set<number>;
  /** Variations that the reader has folded or unfolded, by their first node. */
  folded: Map<number, boolean>;
  hasFigurines: boolean;
  onGo: (id: number) => void;
  onFold: (id: number, isFolded: boolean) => void;
}

/** The moves with their variations, comments and glyphs. */
export function MoveTree({ tree, current, result, onGo }: TreeProps) {
  const [folded, setFolded] = useState(new Map<number, boolean>());
  const [notation] = usePreference('notation');
  const element = useRef<HTMLDivElement>(null);
  const onPath = useMemo(() => new Set(pathTo(tree, current).map(({ id }) => id)), [tree, current]);

  // The current move comes to the middle, so that what is written about it is seen. Only the list
  // is scrolled, never the page.
  useEffect(() => {
    const list = element.current;
    const move = list?.querySelector<HTMLElement>('[aria-current]');
    if (list && current === 0) list.scrollTop = 0;
    if (!list || !move) return;
    const [outer, inner] = [list.getBoundingClientRect(), move.getBoundingClientRect()];
    list.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
  }, [current]);

  const view: TreeView = {
    tree,
    current,
    onPath,
    folded,
    hasFigurines: notation === 'figurines',
    onGo,
    onFold: (id, isFolded) => setFolded(new Map(folded).set(id, isFolded)),
  };
  return (
    <div ref={element} class="move-tree" role="tabpanel" aria-label="Moves">
      {tree.main.length > 1 ? (
        <MainLine view={view} />
      ) : (
        <>
          <MainLine view={view} />
          <p class="quiet">The game has no moves.</p>
        </>
      )}
      <p class="tree-result">{shownResult(result)}</p>
    </div>
  );
}
