import type { Key } from '@lichess-org/chessground/types';
import { useMemo, useState } from 'preact/hooks';
import type { PageProps } from '../app';
import { BoardPage } from '../board/board_page';
import { arrowOf } from '../board/shapes';
import { SteppedBoard } from '../board/stepped_board';
import { useBoardView } from '../board/use_board_view';
import { useKeys } from '../board/use_keys';
import { describeMove } from '../chess/describe';
import { destinations, isPromotion, uciOf } from '../chess/position';
import { href } from '../state/route';
import { Link } from '../state/router';
import { ErrorNote } from '../ui/states';
import { useTitle } from '../ui/use_title';
import { ExplorerPanel } from './explorer_panel';
import { LineView } from './line_view';
import { PositionTools } from './position_tools';
import { PromotionDialog } from './promotion';
import { useLine } from './use_line';

/** The analysis board with the explorer beside it. */
export function ExplorerPage({ archive, route }: PageProps) {
  const { query } = route;
  const { orientation, set, flip } = useBoardView(archive.name, route);
  const { line, go, playMove, playMoves } = useLine(archive.name, route, orientation);
  const [pointed, setPointed] = useState<string>();
  const [promoting, setPromoting] = useState<[Key, Key]>();
  const { position, fen, at, moves, illegal } = line;
  useTitle('Explorer', archive.name);

  const steps = {
    first: () => go(0),
    previous: () => go(at - 1),
    next: () => go(at + 1),
    last: () => go(moves.length),
  };
  useKeys({
    ArrowLeft: steps.previous,
    ArrowRight: steps.next,
    Home: steps.first,
    End: steps.last,
    f: flip,
  });
  const legal = useMemo(() => position && destinations(position), [position]);
  const move = (from: Key, to: Key) => {
    if (position && isPromotion(position, from, to)) setPromoting([from, to]);
    else playMove(uciOf(from, to));
  };

  if (!position || fen === undefined) {
    return (
      <ErrorNote title="This position cannot be shown" isPage>
        <p>{line.error}</p>
        <p>
          <Link class="button" href={href(archive.name, 'explorer')}>
            To the start position
          </Link>
        </p>
      </ErrorNote>
    );
  }
  const last = moves[at - 1];
  return (
    <BoardPage
      class="explorer-page"
      board={
        <>
          <h1 class="hidden">Explorer</h1>
          <SteppedBoard
            position={position}
            orientation={orientation}
            lastMove={last?.uci}
            moveInWords={last ? describeMove(last.san) : 'Start'}
            destinations={legal}
            shapes={arrowOf(pointed)}
            steps={steps}
            onFlip={flip}
            onMove={move}
          />
          <LineView moves={moves} at={at} onGo={go} />
          {illegal && (
            <p class="warning" role="alert">
              The line ends here: the next move of the address, <bdi>{illegal}</bdi>, is not legal.
            </p>
          )}
          <PositionTools
            archive={archive.name}
            query={query}
            position={position}
            fen={fen}
            onPlay={playMoves}
          />
        </>
      }
      panel={
        <ExplorerPanel
          archive={archive}
          query={query}
          fen={fen}
          onPlay={playMove}
          onPoint={setPointed}
          onSet={set}
        />
      }
    >
      {promoting && (
        <PromotionDialog
          color={position.turn}
          onChoose={(piece) => {
            setPromoting(undefined);
            playMove(uciOf(...promoting, piece));
          }}
          onClose={() => setPromoting(undefined)}
        />
      )}
    </BoardPage>
  );
}
