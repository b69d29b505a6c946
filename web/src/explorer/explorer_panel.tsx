import { archiveUrl } from '../api/client';
import type { Archive, Explorer } from '../api/types';
import { useRequest } from '../api/use_request';
import { expression, readFilter } from '../filter/filter';
import { EmptyNote, ErrorNote, Loading, UnreadNote } from '../ui/states';
import { ExplorerGames } from './explorer_games';
import { ExplorerMoves, sum } from './explorer_moves';
import { useEnded } from './use_ended';

interface PanelProps {
  archive: Archive;
  query: URLSearchParams;
  fen: string;
  onPlay: (uci: string) => void;
  /** Called with the move that is pointed at, undefined for none. */
  onPoint: (uci: string | undefined) => void;
  onSet: (changes: Record<string, string | null>) => void;
}

const SETTLE = 120;
/** More than any position has, so that the rows add up. */
const MOST_MOVES = 250;

/** What was played in a position, in all games or those of the list. */
export function ExplorerPanel({ archive, query, fen, onPlay, onPoint, onSet }: PanelProps) {
  const where = expression(readFilter(query));
  const isLimited = where !== undefined && query.get('games') !== 'all';
  const url = archiveUrl(archive.name, '/explorer', {
    fen,
    where: isLimited ? where : null,
    moves: MOST_MOVES,
    topGames: 6,
    recentGames: 6,
  });
  const { data, error, isLoading } = useRequest<Explorer>(url, SETTLE);
  const played = data && !isLoading ? sum(data) : undefined;
  const ended = useEnded(archive, fen, isLimited ? where : undefined, played);
  const isEmpty = played === 0 && ended === 0;
  return (
    <section
      class={`explorer ${isLoading ? 'is-stale' : ''}`}
      aria-label="Explorer"
      aria-busy={isLoading}
    >
      {where && (
        <label class="switch">
          <input
            type="checkbox"
            checked={isLimited}
            onChange={(event) => onSet({ games: event.currentTarget.checked ? null : 'all' })}
          />
          <span>
            Only the games of the list <code dir="auto">{where}</code>
          </span>
        </label>
      )}
      {error && <ErrorNote title="The explorer is not available" error={error} />}
      {!data && !error && <Loading />}
      {data && !error && (
        <>
          <UnreadNote unread={data.unread} />
          <p class="opening" dir="auto">
            {data.opening ? (
              <>
                <span class="eco">{data.opening.eco}</span> {data.opening.name}
              </>
            ) : (
              <span class="quiet">No common name of the opening</span>
            )}
          </p>
          {isEmpty ? (
            <EmptyNote
              title={
                isLimited
                  ? 'No game of the list with a result has this position'
                  : 'No game with a result has this position'
              }
            />
          ) : (
            <ExplorerMoves
              fen={fen}
              answer={data}
              ended={ended}
              onPlay={onPlay}
              onPoint={onPoint}
            />
          )}
          <p class="quiet explorer-about">Games without a result are not counted.</p>
          <ExplorerGames archive={archive.name} fen={fen} title="Top games" games={data.topGames} />
          <ExplorerGames
            archive={archive.name}
            fen={fen}
            title="Recent games"
            games={data.recentGames}
          />
        </>
      )}
    </section>
  );
}
