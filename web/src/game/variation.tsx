import type { Node, Tree } from '../chess/tree';
import { Comments } from './comments';
import { MoveButton } from './move_button';
import type { TreeView } from './move_tree';

interface VariationProps {
  view: TreeView;
  /** The first node of the variation. */
  first: number;
  depth: number;
}

/** Variations from this depth on are folded until they are opened. */
const FOLDED_FROM = 4;
/** The way to a node in a variation deeper than this is not unfolded by itself. */
const UNFOLDED_TO = 60;

/** The nodes of a line, from its first one on. */
function lineFrom(tree: Tree, first: number): Node[] {
  const line: Node[] = [];
  for (let id: number | undefined = first; id !== undefined; id = tree.nodes[id]?.children[0]) {
    const node = tree.nodes[id];
    if (node) line.push(node);
  }
  return line;
}

/** A variation: moves in running text, its own variations below the move that they replace. */
export function Variation({ view, first, depth }: VariationProps) {
  const line = lineFrom(view.tree, first);
  const isWanted = view.onPath.has(first) && depth < UNFOLDED_TO;
  const isFolded = view.folded.get(first) ?? (depth >= FOLDED_FROM && !isWanted);
  const start = line[0];
  if (!start) return null;
  if (isFolded) {
    return (
      <div class="variation is-folded">
        <FoldButton view={view} first={first} isFolded />
        <MoveButton view={view} node={start} hasNumber />
        <span class="quiet">{line.length > 1 ? `… ${line.length - 1} more` : ''}</span>
      </div>
    );
  }
  return (
    <div class="variation">
      {line.length > 1 && <FoldButton view={view} first={first} />}
      <Comments texts={start.opening} isInline />
      {line.map((node, at) => (
        <Step key={node.id} view={view} node={node} before={line[at - 1]} depth={depth} />
      ))}
    </div>
  );
}

interface StepProps {
  view: TreeView;
  node: Node;
  before: Node | undefined;
  depth: number;
}

/** A move of a variation with what belongs to it. */
function Step({ view, node, before, depth }: StepProps) {
  const siblings = before ? (view.tree.nodes[node.parent]?.children.slice(1) ?? []) : [];
  const follows = before && before.comments.length === 0 && !hasVariations(view, before);
  return (
    <>
      <MoveButton view={view} node={node} hasNumber={node.ply % 2 === 1 || !follows} />
      <Comments texts={node.comments} isInline />
      {siblings.map((id) => (
        <Variation key={id} view={view} first={id} depth={depth + 1} />
      ))}
    </>
  );
}

/** Whether variations in place of a node are written after it. */
function hasVariations(view: TreeView, node: Node): boolean {
  const siblings = view.tree.nodes[node.parent]?.children ?? [];
  return siblings.length > 1 && siblings[0] === node.id;
}

interface FoldProps {
  view: TreeView;
  first: number;
  isFolded?: boolean;
}

function FoldButton({ view, first, isFolded = false }: FoldProps) {
  return (
    <button
      type="button"
      class="fold"
      aria-expanded={!isFolded}
      aria-label={isFolded ? 'Unfold the variation' : 'Fold the variation'}
      onClick={() => view.onFold(first, !isFolded)}
    >
      {isFolded ? '+' : '−'}
    </button>
  );
}
