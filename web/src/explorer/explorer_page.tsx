import type { Color, Key } from '@lichess-org/chessground/types';
import { useMemo, useState } from 'preact/hooks';
import type { PageProps } from '../app';
import { Board } from '../board/board';
import { arrowOf } from '../board/shapes';
import { useKeys } from '../board/use_keys';
import { describeMove, describePosition } from '../chess/describe';
import { destinations, isPromotion, squaresOf, uciOf } from '../chess/position';
import { StepButtons } from '../game/step_buttons';
import { href, withParams } from '../state/route';
import { Link, navigate } from '../state/router';
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
  const orientation: Color = query.get('orientation') === 'black' ? 'black' : 'white';
  const { line, go, playMove } = useLine(archive.name, route, orientation);
  const [pointed, setPointed] = useState<string>();
  const [promoting, setPromoting] = useState<[Key, Key]>();
  const { position, fen, at, moves } = line;
  useTitle('Explorer', archive.name);

  const set = (changes: Record<string, string | null>) =>
    navigate(href(archive.name, 'explorer', undefined, withParams(query, changes)), {
      replace: true,
    });
  const flip = () => set({ orientation: orientation === 'white' ? 'black' : null });
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
      <ErrorNote title="This position cannot be shown">
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
    <div class="game-page explorer-page">
      <h1 class="hidden">Explorer</h1>
      <div class="board-column">
        <Board
          fen={fen}
          orientation={orientation}
          turn={position.turn}
          lastMove={squaresOf(last?.uci)}
          isCheck={position.isCheck()}
          destinations={legal}
          shapes={arrowOf(pointed)}
          label={describePosition(position)}
          onMove={move}
        />
        <p class="hidden" aria-live="polite">
          {last ? describeMove(last.san) : 'Start'}
        </p>
        <StepButtons steps={steps} onFlip={flip} />
        <LineView moves={moves} at={at} onGo={go} />
        <PositionTools
          archive={archive.name}
          query={query}
          position={position}
          fen={fen}
          onPlay={playMove}
        />
      </div>
      <div class="game-side">
        <ExplorerPanel
          archive={archive.name}
          query={query}
          fen={fen}
          onPlay={playMove}
          onPoint={setPointed}
          onSet={set}
        />
      </div>
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
    </div>
  );
}
