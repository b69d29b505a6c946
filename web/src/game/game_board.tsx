import type { Color } from '@lichess-org/chessground/types';
import type { Game } from '../api/types';
import { arrowOf, drawn } from '../board/shapes';
import type { Steps } from '../board/step_buttons';
import { SteppedBoard } from '../board/stepped_board';
import { describeMove } from '../chess/describe';
import { moveNumber } from '../chess/notation';
import type { Position } from '../chess/position';
import { clocksAt, type Tree } from '../chess/tree';
import { useMedia } from '../ui/use_media';
import { CurrentMove } from './current_move';
import { EvalChart } from './eval_chart';
import { PlayerStrip } from './player_strip';

interface GameBoardProps {
  archive: string;
  game: Game;
  tree: Tree;
  current: number;
  position: Position | undefined;
  orientation: Color;
  /** A move that is pointed at in the explorer. */
  pointed: string | undefined;
  steps: Steps;
  onGo: (id: number) => void;
  onFlip: () => void;
}

/** The board with the players above and below it, and what steps through the game. */
export function GameBoard(props: GameBoardProps) {
  const { archive, game, tree, current, position, orientation, pointed, steps } = props;
  const isNarrow = useMedia('(max-width: 820px)');
  const node = tree.nodes[current];
  const clocks = clocksAt(tree, current);
  const strip = (color: Color) => (
    <PlayerStrip
      archive={archive}
      game={game}
      color={color}
      clock={clocks[color]}
      position={position}
    />
  );
  return (
    <>
      <SteppedBoard
        position={position}
        orientation={orientation}
        lastMove={node?.uci}
        moveInWords={node?.san ? `${moveNumber(node.ply)} ${describeMove(node.san)}` : 'Start'}
        shapes={[...drawn(node?.shapes), ...arrowOf(pointed)]}
        strip={strip}
        steps={steps}
        onFlip={props.onFlip}
      />
      {isNarrow && <CurrentMove tree={tree} current={current} />}
      <EvalChart tree={tree} current={current} onGo={props.onGo} />
    </>
  );
}
