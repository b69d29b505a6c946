import type { Node } from '../chess/tree';
import { counted } from '../ui/format';
import { Comments } from './comments';
import { MoveButton } from './move_button';
import type { TreeView } from './move_tree';
import { Variation } from './variation';

/** A line of the table: a move of each side, or what was written between them. */
type Row =
  | { kind: 'moves'; number: number; white: Node | undefined; black: Node | undefined }
  | { kind: 'notes'; after: Node };

/** Notes after a move: comments, and variations in place of it. */
function hasNotes(view: TreeView, node: Node): boolean {
  return node.comments.length > 0 || variationsOf(view, node).length > 0;
}

function variationsOf(view: TreeView, node: Node): number[] {
  const siblings = view.tree.nodes[node.parent]?.children ?? [];
  return siblings[0] === node.id ? siblings.slice(1) : [];
}

function rowsOf(view: TreeView): Row[] {
  const rows: Row[] = [];
  let open: (Row & { kind: 'moves' }) | undefined;
  for (const id of view.tree.main.slice(1)) {
    const node = view.tree.nodes[id];
    if (!node) continue;
    const isWhite = node.ply % 2 === 1;
    if (isWhite || !open) {
      open = { kind: 'moves', number: Math.ceil(node.ply / 2), white: undefined, black: undefined };
      rows.push(open);
    }
    open[isWhite ? 'white' : 'black'] = node;
    const isInterrupted = hasNotes(view, node);
    if (isInterrupted) rows.push({ kind: 'notes', after: node });
    if (isInterrupted || !isWhite) open = undefined;
  }
  return rows;
}

/** Rows shown before and after the current one. */
const AROUND = 300;

function firstOf(row: Row | undefined): number {
  if (!row) return 0;
  return (row.kind === 'notes' ? row.after : (row.white ?? row.black))?.id ?? 0;
}

/** The ends of the rows to show: all, unless the game is of a length that browsers cannot show. */
function shownRows(view: TreeView, rows: Row[]): [number, number] {
  if (rows.length <= 4 * AROUND) return [0, rows.length];
  const isOnPath = (row: Row) => view.onPath.has(firstOf(row));
  const current = Math.max(0, rows.findLastIndex(isOnPath));
  return [Math.max(0, current - AROUND), current + AROUND];
}

/** The main line in two columns, interrupted by comments and variations. */
export function MainLine({ view }: { view: TreeView }) {
  const start = view.tree.nodes[0];
  const rows = rowsOf(view);
  const [before, after] = shownRows(view, rows);
  return (
    <div class="main-line">
      {start && start.comments.length > 0 && (
        <div class="notes">
          <Comments texts={start.comments} />
        </div>
      )}
      {before > 0 && <Omitted rows={before} onShow={() => view.onGo(firstOf(rows[before]))} />}
      {rows.slice(before, after).map((row) =>
        row.kind === 'moves' ? (
          <div key={`m${(row.white ?? row.black)?.id}`} class="move-row">
            <span class="move-number">{row.number}</span>
            <Cell view={view} node={row.white} gap="…" />
            <Cell view={view} node={row.black} />
          </div>
        ) : (
          <div key={`n${row.after.id}`} class="notes">
            <Comments texts={row.after.comments} />
            {variationsOf(view, row.after).map((id) => (
              <Variation key={id} view={view} first={id} depth={1} />
            ))}
          </div>
        ),
      )}
      {after < rows.length && (
        <Omitted rows={rows.length - after} onShow={() => view.onGo(firstOf(rows[after]))} />
      )}
    </div>
  );
}

/** In the place of rows that are too many to show. */
function Omitted({ rows, onShow }: { rows: number; onShow: () => void }) {
  return (
    <button type="button" class="link-button omitted" onClick={onShow}>
      {counted(rows, 'more line')}
    </button>
  );
}

interface CellProps {
  view: TreeView;
  node: Node | undefined;
  /** What is written in place of a move. */
  gap?: string;
}

function Cell({ view, node, gap = '' }: CellProps) {
  if (!node) return <span class="move-gap">{gap}</span>;
  return <MoveButton view={view} node={node} />;
}
