import { useEffect, useState } from 'preact/hooks';
import { archiveUrl, getText } from '../api/client';
import type { Game } from '../api/types';
import type { Tree } from '../chess/tree';

interface UnplayableProps {
  archive: string;
  game: Game;
  tree: Tree;
  isPlayable: boolean;
}

/** Says where and why a game cannot be played on, and shows its text on demand. */
export function Unplayable({ archive, game, tree, isPlayable }: UnplayableProps) {
  if (tree.error) {
    return (
      <div class="warning" role="status">
        <p>This game cannot be shown on the board: {tree.error}</p>
        <GameText archive={archive} number={game.number} />
      </div>
    );
  }
  if (game.moves_end_at !== null) {
    return (
      <div class="warning" role="status">
        <p>
          The moves of this game cannot be played to the end. They stop at{' '}
          <q dir="auto">{game.moves_end_at}</q>.
        </p>
        <GameText archive={archive} number={game.number} />
      </div>
    );
  }
  if (isPlayable) return null;
  return (
    <div class="warning" role="status">
      <p>This move cannot be played on the board.</p>
    </div>
  );
}

function GameText({ archive, number }: { archive: string; number: number }) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState<string>();
  useEffect(() => {
    if (!isOpen) return;
    const abort = new AbortController();
    const show = (shown: string) => abort.signal.aborted || setText(shown);
    getText(archiveUrl(archive, `/games/${number}/pgn`), abort.signal).then(show, (error) =>
      show(String(error.message)),
    );
    return () => abort.abort();
  }, [isOpen, archive, number]);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The text of the game</summary>
      <pre dir="auto">{text ?? 'Loading…'}</pre>
    </details>
  );
}
