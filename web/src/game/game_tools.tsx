import { archiveUrl, getText } from '../api/client';
import type { Game } from '../api/types';
import { orientationOf } from '../board/use_board_view';
import { explorerHref } from '../explorer/explorer_address';
import { listQuery } from '../filter/filter';
import { href, withParams } from '../state/route';
import { Link } from '../state/router';
import { CopyButton } from '../ui/copy_button';
import { DownloadButton } from '../ui/download_button';

interface ToolsProps {
  archive: string;
  game: Game;
  query: URLSearchParams;
  fen: string | undefined;
}

/** What can be done with a game: its text, its position elsewhere, its tags. */
export function GameTools({ archive, game, query, fen }: ToolsProps) {
  const pgn = archiveUrl(archive, `/games/${game.number}/pgn`);
  const list = listQuery(query);
  return (
    <footer class="game-tools">
      <div class="buttons">
        <CopyButton label="Copy PGN" text={() => getText(pgn)} />
        <DownloadButton url={pgn} name={`${archive}-${game.number}.pgn`} />
        {fen && <CopyButton label="Copy FEN" text={async () => fen} />}
      </div>
      {fen && (
        <p class="links">
          <Link href={explorerHref(archive, query, fen, [], orientationOf(query))}>
            Analyse from here
          </Link>
          <Link
            href={href(archive, 'games', undefined, withParams(new URLSearchParams(), { fen }))}
          >
            Games with this position
          </Link>
          <Link href={href(archive, 'search', undefined, withParams(list, { board: fen }))}>
            Edit this position
          </Link>
        </p>
      )}
      <details>
        <summary>All tags</summary>
        <dl class="tags">
          {game.tags.map(([name, value], at) => (
            // A game may have a tag twice, so its place is part of what names it.
            <div key={`${at} ${name}`}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </footer>
  );
}
