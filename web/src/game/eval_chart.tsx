import { useMemo } from 'preact/hooks';
import { evaluationText, expectation, moveNumber } from '../chess/notation';
import type { Node, Tree } from '../chess/tree';
import { usePreference } from '../state/preferences';
import { San } from '../ui/san';

interface ChartProps {
  tree: Tree;
  current: number;
  onGo: (id: number) => void;
}

const HEIGHT = 100;

/** The curve of evaluations of the main line from White's side; a click goes to the move. */
export function EvalChart({ tree, current, onGo }: ChartProps) {
  const [notation] = usePreference('notation');
  const line = useMemo(() => tree.main.flatMap((id, at) => point(tree.nodes[id], at)), [tree]);
  const width = Math.max(1, tree.main.length - 1);
  if (line.length < 2) return null;
  const points = held(line, width);
  const first = line[0]?.at ?? 0;
  const ply = tree.main.indexOf(current);
  const here = line.find(({ at }) => at === ply);

  const go = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const at = first + Math.round(((event.clientX - box.left) / box.width) * (width - first));
    onGo(tree.main[at] ?? current);
  };
  return (
    <figure class="eval-chart">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the moves do the same. */}
      <svg
        viewBox={`${first} 0 ${width - first} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Evaluations from White's side, ${line.length} moves`}
        onClick={go}
      >
        <polygon points={`${first},${HEIGHT} ${points} ${width},${HEIGHT}`} class="white-side" />
        <line x1={first} x2={width} y1={HEIGHT / 2} y2={HEIGHT / 2} class="level" />
        <polyline points={points} class="curve" />
        {ply >= 0 && <line x1={ply} x2={ply} y1={0} y2={HEIGHT} class="here" />}
      </svg>
      <figcaption>
        {here ? (
          <>
            <strong>{evaluationText(here.value)}</strong> after {moveNumber(here.ply)}{' '}
            <San san={here.san} hasFigurines={notation === 'figurines'} />
          </>
        ) : (
          'Evaluations, from White’s side'
        )}
      </figcaption>
    </figure>
  );
}

/** The points of the curve. Where moves have no evaluation, the last one holds. */
function held(line: { at: number; y: number }[], end: number): string {
  const points = line.flatMap(({ at, y }, index) => {
    const until = (line[index + 1]?.at ?? end + 1) - 1;
    return until > at ? [`${at},${y}`, `${until},${y}`] : [`${at},${y}`];
  });
  return points.join(' ');
}

function point(node: Node | undefined, at: number) {
  if (!node?.eval) return [];
  const y = Math.round((HEIGHT / 2) * (1 - expectation(node.eval)) * 10) / 10;
  return [{ at, y, value: node.eval, ply: node.ply, san: node.san }];
}
