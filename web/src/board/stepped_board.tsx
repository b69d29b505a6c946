import type { Color, Key } from '@lichess-org/chessground/types';
import type { ComponentChildren } from 'preact';
import { describePosition } from '../chess/describe';
import { EMPTY_FEN, fenOf, type Position, squaresOf } from '../chess/position';
import { Board, type BoardProps } from './board';
import { StepButtons, type Steps } from './step_buttons';
import { useWheel } from './use_wheel';

interface SteppedBoardProps extends Pick<BoardProps, 'orientation' | 'shapes' | 'onMove'> {
  /** Undefined where a move cannot be played. */
  position: Position | undefined;
  /** The UCI of the move that led to the position. */
  lastMove: string | undefined;
  /** That move in words, for those who do not see the board. */
  moveInWords: string;
  destinations?: Map<Key, Key[]> | undefined;
  /** What is written beside the board at the side of a player. */
  strip?: (color: Color) => ComponentChildren;
  steps: Steps;
  onFlip: () => void;
}

/** A board with the buttons that step through its moves. */
export function SteppedBoard({
  position,
  orientation,
  lastMove,
  moveInWords,
  strip,
  steps,
  onFlip,
  ...rest
}: SteppedBoardProps) {
  const turn = useWheel(steps);
  return (
    <>
      {strip?.(orientation === 'white' ? 'black' : 'white')}
      <Board
        {...rest}
        onWheel={turn}
        fen={position ? fenOf(position) : EMPTY_FEN}
        orientation={orientation}
        turn={position?.turn}
        lastMove={squaresOf(lastMove)}
        isCheck={position?.isCheck()}
        label={position ? describePosition(position) : 'No position'}
      />
      {strip?.(orientation)}
      <p class="hidden" aria-live="polite">
        {moveInWords}
      </p>
      <StepButtons steps={steps} onFlip={onFlip} />
    </>
  );
}
