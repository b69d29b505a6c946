import { Chessground } from '@lichess-org/chessground';
import { useEffect, useRef } from 'preact/hooks';

/** A small board that only shows a position, from White's side. */
export function MiniBoard({ fen }: { fen: string }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!element.current) return;
    const board = Chessground(element.current, {
      fen,
      viewOnly: true,
      coordinates: false,
      drawable: { enabled: false, visible: false },
    });
    return () => board.destroy();
  }, [fen]);
  return <div ref={element} class="mini-board" aria-hidden="true" />;
}
