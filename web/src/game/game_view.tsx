import { useMemo, useState } from 'preact/hooks';
import type { Game } from '../api/types';
import type { PageProps } from '../app';
import { BoardPage } from '../board/board_page';
import { useBoardView } from '../board/use_board_view';
import { fenOf, named, type Position } from '../chess/position';
import { positionAt, type Tree, tagOf, treeOf } from '../chess/tree';
import { explorerHref } from '../explorer/explorer_address';
import { ExplorerPanel } from '../explorer/explorer_panel';
import { navigate } from '../state/router';
import { playerName } from '../ui/format';
import { useTitle } from '../ui/use_title';
import { GameBar } from './game_bar';
import { GameBoard } from './game_board';
import { GameHead } from './game_head';
import { GameTools } from './game_tools';
import { MoveTree } from './move_tree';
import { Tabs } from './tabs';
import { Unplayable } from './unplayable';
import { useCurrent } from './use_current';
import { useNeighbours } from './use_neighbours';
import { useSteps } from './use_steps';

interface ViewProps extends PageProps {
  game: Game;
  isStale: boolean;
}

/** The continuation of a node, or a variation, that begins with a move; undefined without one. */
function childBy(tree: Tree, id: number, position: Position, uci: string): number | undefined {
  const sought = named(position, uci)?.uci;
  const isSought = (child: number) =>
    sought !== undefined && named(position, tree.nodes[child]?.uci ?? '')?.uci === sought;
  return tree.nodes[id]?.children.find(isSought);
}

/** A game: the board at one side, what is known of the game and its moves at the other. */
export function GameView({ archive, route, game, isStale }: ViewProps) {
  const { query } = route;
  const tree = useMemo(() => treeOf(game), [game]);
  const { current, go } = useCurrent(archive.name, tree, game.number, route);
  const [pointed, setPointed] = useState<string>();
  const neighbours = useNeighbours(archive.name, game, query);
  const { orientation, set, flip } = useBoardView(archive.name, route);
  const tab = query.get('panel') === 'explorer' ? 'explorer' : 'moves';
  const [white, black] = ['White', 'Black'].map((tag) => playerName(tagOf(game, tag)));
  useTitle(`${white} – ${black}`, archive.name);

  const steps = useSteps({ tree, current, neighbours, onGo: go, onFlip: flip });
  const position = useMemo(() => positionAt(tree, current), [tree, current]);
  const fen = position && fenOf(position);
  const hasChart = useMemo(() => tree.nodes.some((node) => node.eval), [tree]);

  const playInExplorer = (uci: string) => {
    const child = position && childBy(tree, current, position, uci);
    if (child !== undefined) go(child);
    else if (fen) navigate(explorerHref(archive.name, query, fen, [uci], orientation));
  };
  return (
    <BoardPage
      class={`${isStale ? 'is-stale' : ''} ${hasChart ? 'has-chart' : ''}`}
      board={
        <GameBoard
          archive={archive.name}
          game={game}
          tree={tree}
          current={current}
          position={position}
          orientation={orientation}
          pointed={tab === 'explorer' ? pointed : undefined}
          steps={steps}
          onGo={go}
          onFlip={flip}
        />
      }
      panel={
        <>
          <GameBar archive={archive.name} game={game} query={query} neighbours={neighbours} />
          <GameHead game={game} />
          <Unplayable archive={archive.name} game={game} tree={tree} isPlayable={!!position} />
          <Tabs tab={tab} onChoose={(name) => set({ panel: name === 'explorer' ? name : null })} />
          {tab === 'moves' && (
            <MoveTree tree={tree} current={current} result={game.result} onGo={go} />
          )}
          {tab === 'explorer' && fen && (
            <ExplorerPanel
              archive={archive}
              query={query}
              fen={fen}
              onPlay={playInExplorer}
              onPoint={setPointed}
              onSet={set}
            />
          )}
          <GameTools archive={archive.name} game={game} query={query} fen={fen} />
        </>
      }
    />
  );
}
