import { archiveUrl } from '../api/client';
import type { Stats } from '../api/types';
import { useRequest } from '../api/use_request';
import type { PageProps } from '../app';
import { expression, filterQuery, readFilter } from '../filter/filter';
import { href, withParams } from '../state/route';
import { Link } from '../state/router';
import { bytes, grouped, known, percent, shownResult } from '../ui/format';
import { ResultBar } from '../ui/result_bar';
import { EmptyNote, ErrorNote, Loading, UnreadNote } from '../ui/states';
import { useTitle } from '../ui/use_title';
import { ArchiveYears } from './archive_years';
import { EcoBars } from './eco_bars';
import { FiguresPage, Totals } from './figures_page';
import { ScoreTable } from './score_table';

/** The figures of an archive, or of the games of the list. */
export function StatsPage({ archive, route }: PageProps) {
  const filter = filterQuery(route.query);
  const where = expression(readFilter(filter));
  const url = archiveUrl(archive.name, '/stats', { where });
  const { data: stats, error, isLoading } = useRequest<Stats>(url);
  useTitle('Statistics', archive.name);
  const list = (changes: Record<string, string>) =>
    href(archive.name, 'games', undefined, withParams(filter, changes));
  if (error) return <ErrorNote title="The statistics cannot be computed" error={error} isPage />;
  if (!stats) return <Loading text="Counting…" />;
  const about = where ? (
    <p>
      Only the games of the list: <code dir="auto">{where}</code>{' '}
      <Link href={href(archive.name, 'stats')}>All games</Link>
    </p>
  ) : (
    <p class="quiet">
      {bytes(archive.text_bytes)} of PGN in {bytes(archive.bytes)} · {grouped(stats.plies)}{' '}
      half-moves
    </p>
  );
  return (
    <FiguresPage title={archive.name} about={about} isStale={isLoading}>
      <UnreadNote unread={stats.unread} />
      {stats.white.games === 0 ? (
        <EmptyNote title="No games to count" />
      ) : (
        <Figures stats={stats} archive={archive.name} list={list} />
      )}
    </FiguresPage>
  );
}

interface FiguresProps {
  stats: Stats;
  archive: string;
  list: (changes: Record<string, string>) => string;
}

function Figures({ stats, archive, list }: FiguresProps) {
  const { games, won, drawn, lost } = stats.white;
  const decided = won + drawn + lost;
  const others = games - decided;
  const totals: [string, string][] = [
    ['Games', grouped(games)],
    ['Players', grouped(stats.players)],
    ['Events', grouped(stats.events)],
    ['Moves per game', (stats.plies / games / 2).toFixed(1)],
  ];
  const results: [string, number][] = [
    ['1-0', won],
    ['1/2-1/2', drawn],
    ['0-1', lost],
    ['*', others],
  ];
  return (
    <>
      <Totals totals={totals} />
      <section class="results">
        <h2>Results</h2>
        <ResultBar white={won} draws={drawn} black={lost} />
        <ul>
          {results
            .filter(([, count]) => count > 0)
            .map(([result, count]) => (
              <li key={result}>
                <Link href={list({ result })}>
                  <strong>{result === '*' ? 'No result' : shownResult(result)}</strong>{' '}
                  {grouped(count)}{' '}
                  {result !== '*' && <span class="quiet">{percent(count, decided)}</span>}
                </Link>
              </li>
            ))}
        </ul>
      </section>
      <ArchiveYears years={stats.years} hrefOf={(year) => list({ from: year, to: year })} />
      <div class="figures-columns">
        <EcoBars eco={stats.eco} hrefOf={(letter) => list({ eco: letter })} />
        <ScoreTable
          title="Most active players"
          head="Player"
          rows={stats.most_games.map((player) => ({
            ...player,
            key: player.name,
            label: known(player.name) ? player.name : <span class="quiet">Unknown player</span>,
            href: player.name ? href(archive, 'player', player.name) : undefined,
          }))}
        />
      </div>
    </>
  );
}
