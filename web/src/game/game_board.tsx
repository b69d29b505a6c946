import type { Color } from '@lichess-org/chessground/types';
import type { Game } from '../api/types';
import { Board } from '../board/board';
import { arrowOf, drawn } from '../board/shapes';
import { describeMove, describePosition } from '../chess/describe';
import { moveNumber } from '../chess/notation';
import { EMPTY_FEN, fenOf, type Position, squaresOf } from '../chess/position';
import { clocksAt, type Tree } from '../chess/tree';
import { EvalChart } from './eval_chart';
import { PlayerStrip } from './player_strip';
import { StepButtons, type Steps } from './step_buttons';

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
    <div class="board-column">
      {strip(orientation === 'white' ? 'black' : 'white')}
      <Board
        fen={position ? fenOf(position) : EMPTY_FEN}
        orientation={orientation}
        turn={position?.turn}
        lastMove={squaresOf(node?.uci)}
        isCheck={position?.isCheck()}
        shapes={[...drawn(node?.shapes), ...arrowOf(pointed)]}
        label={position ? describePosition(position) : 'No position'}
      />
      {strip(orientation)}
      <p class="hidden" aria-live="polite">
        {node?.san ? `${moveNumber(node.ply)} ${describeMove(node.san)}` : 'Start'}
      </p>
      <StepButtons steps={steps} onFlip={props.onFlip} />
      <EvalChart tree={tree} current={current} onGo={props.onGo} />
    </div>
  );
}
