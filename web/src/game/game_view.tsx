import type { Color } from '@lichess-org/chessground/types';
import { useMemo, useState } from 'preact/hooks';
import type { Game } from '../api/types';
import type { PageProps } from '../app';
import { Board } from '../board/board';
import { arrowOf, drawn } from '../board/shapes';
import { useKeys } from '../board/use_keys';
import { describeMove, describePosition } from '../chess/describe';
import { moveNumber } from '../chess/notation';
import { fenOf, INITIAL_FEN, named, squaresOf } from '../chess/position';
import { clocksAt, endOf, positionAt, sibling, tagOf, treeOf } from '../chess/tree';
import { explorerHref } from '../explorer/explorer_address';
import { ExplorerPanel } from '../explorer/explorer_panel';
import { href, withParams } from '../state/route';
import { navigate } from '../state/router';
import { useTitle } from '../ui/use_title';
import { EvalChart } from './eval_chart';
import { GameBar } from './game_bar';
import { GameHead } from './game_head';
import { GameTools } from './game_tools';
import { MoveTree } from './move_tree';
import { PlayerStrip } from './player_strip';
import { StepButtons } from './step_buttons';
import { Unplayable } from './unplayable';
import { useCurrent } from './use_current';
import { useNeighbours } from './use_neighbours';

interface ViewProps extends PageProps {
  game: Game;
  isStale: boolean;
}

export function GameView({ archive, route, game, isStale }: ViewProps) {
  const { query } = route;
  const tree = useMemo(() => treeOf(game), [game]);
  const { current, go } = useCurrent(archive.name, tree, game.number, route);
  const [pointed, setPointed] = useState<string>();
  const neighbours = useNeighbours(archive.name, game, query);
  const orientation: Color = query.get('orientation') === 'black' ? 'black' : 'white';
  const tab = query.get('panel') === 'explorer' ? 'explorer' : 'moves';
  const names = ['White', 'Black'].map((tag) => tagOf(game, tag) ?? '?');
  useTitle(`${names[0]} – ${names[1]}`, archive.name);

  const set = (changes: Record<string, string | null>) =>
    navigate(href(archive.name, 'game', game.number, withParams(query, changes)), {
      replace: true,
    });
  const flip = () => set({ orientation: orientation === 'white' ? 'black' : null });
  const node = tree.nodes[current];
  const steps = {
    first: () => go(0),
    previous: () => go(Math.max(0, node?.parent ?? 0)),
    next: () => go(node?.children[0] ?? current),
    last: () => go(endOf(tree, current)),
  };
  const toSibling = (step: 1 | -1) => go(sibling(tree, current, step) ?? current);
  const open = (address: string | undefined) => address && navigate(address);
  useKeys({
    ArrowLeft: steps.previous,
    ArrowRight: steps.next,
    Home: steps.first,
    End: steps.last,
    ArrowUp: () => toSibling(-1),
    ArrowDown: () => toSibling(1),
    f: flip,
    '[': () => open(neighbours.previous),
    ']': () => open(neighbours.next),
  });

  const position = useMemo(() => positionAt(tree, current), [tree, current]);
  const fen = position && fenOf(position);
  const hasChart = useMemo(() => tree.nodes.some((node) => node.eval), [tree]);
  const clocks = clocksAt(tree, current);
  const move = node?.san ? `${moveNumber(node.ply)} ${describeMove(node.san)}` : 'Start';

  const playInExplorer = (uci: string) => {
    const child = node?.children.find((id) => {
      const sought = position && named(position, uci)?.uci;
      const own = position && named(position, tree.nodes[id]?.uci ?? '')?.uci;
      return own !== undefined && own === sought;
    });
    if (child !== undefined) go(child);
    else if (fen) navigate(explorerHref(archive.name, query, fen, [uci], orientation));
  };

  const strip = (color: Color) => (
    <PlayerStrip
      archive={archive.name}
      game={game}
      color={color}
      clock={clocks[color]}
      position={position}
    />
  );
  const [top, bottom]: Color[] = orientation === 'white' ? ['black', 'white'] : ['white', 'black'];
  return (
    <article class={`game-page ${isStale ? 'is-stale' : ''} ${hasChart ? 'has-chart' : ''}`}>
      <div class="board-column">
        {strip(top ?? 'black')}
        <Board
          fen={fen ?? INITIAL_FEN.replace(/^\S+/, '8/8/8/8/8/8/8/8')}
          orientation={orientation}
          turn={position?.turn}
          lastMove={squaresOf(node?.uci)}
          isCheck={position?.isCheck()}
          shapes={[...drawn(node?.shapes), ...arrowOf(tab === 'explorer' ? pointed : undefined)]}
          label={position ? describePosition(position) : 'No position'}
        />
        {strip(bottom ?? 'white')}
        <p class="hidden" aria-live="polite">
          {move}
        </p>
        <StepButtons steps={steps} onFlip={flip} />
        <EvalChart tree={tree} current={current} onGo={go} />
      </div>
      <div class="game-side">
        <GameBar archive={archive.name} game={game} query={query} neighbours={neighbours} />
        <GameHead game={game} />
        <Unplayable archive={archive.name} game={game} tree={tree} isPlayable={!!position} />
        <div class="tabs" role="tablist">
          {(['moves', 'explorer'] as const).map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              aria-selected={tab === name}
              onClick={() => set({ panel: name === 'explorer' ? name : null })}
            >
              {name === 'moves' ? 'Moves' : 'Explorer'}
            </button>
          ))}
        </div>
        {tab === 'moves' ? (
          <MoveTree tree={tree} current={current} result={game.result} onGo={go} />
        ) : (
          fen && (
            <ExplorerPanel
              archive={archive.name}
              query={query}
              fen={fen}
              onPlay={playInExplorer}
              onPoint={setPointed}
              onSet={set}
            />
          )
        )}
        <GameTools archive={archive.name} game={game} query={query} fen={fen} />
      </div>
    </article>
  );
}
