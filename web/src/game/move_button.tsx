import { evaluationText, moveNumber } from '../chess/notation';
import type { Node } from '../chess/tree';
import { San } from '../ui/san';
import { Glyphs } from './glyphs';
import type { TreeView } from './move_tree';

const TONES: Record<number, string> = {
  1: 'good',
  2: 'bad',
  3: 'good',
  4: 'bad',
  5: 'odd',
  6: 'odd',
};

interface MoveProps {
  view: TreeView;
  node: Node;
  /** Whether the number of the move is written before it. */
  hasNumber?: boolean;
}

/** A move that can be gone to. */
export function MoveButton({ view, node, hasNumber = false }: MoveProps) {
  const tone = node.nags.map((nag) => TONES[nag]).find(Boolean) ?? '';
  return (
    <button
      type="button"
      class={`move ${tone}`}
      aria-current={node.id === view.current ? 'step' : undefined}
      onClick={() => view.onGo(node.id)}
    >
      {hasNumber && <span class="move-number">{moveNumber(node.ply)} </span>}
      <span class="san">
        <San san={node.san} hasFigurines={view.hasFigurines} />
        <Glyphs nags={node.nags} />
      </span>
      {!hasNumber && node.eval && <span class="move-eval">{evaluationText(node.eval)}</span>}
    </button>
  );
}
