import { moveNumber } from '../chess/notation';
import type { Tree } from '../chess/tree';
import { usePreference } from '../state/preferences';
import { San } from '../ui/san';
import { Comments } from './comments';
import { Glyphs } from './glyphs';

/** The move shown with what is written about it, where the list of moves is out of sight. */
export function CurrentMove({ tree, current }: { tree: Tree; current: number }) {
  const [notation] = usePreference('notation');
  const node = tree.nodes[current];
  if (!node) return null;
  const hasComments = tree.nodes.some(({ comments }) => comments.length > 0);
  return (
    <div key={node.id} class={`current-move ${hasComments ? 'has-comments' : ''}`}>
      <strong>
        {node.san ? (
          <>
            {moveNumber(node.ply)} <San san={node.san} hasFigurines={notation === 'figurines'} />
            <Glyphs nags={node.nags} />
          </>
        ) : (
          'Start'
        )}
      </strong>
      <Comments texts={[...node.opening, ...node.comments]} isInline />
    </div>
  );
}
