import { archiveUrl } from '../api/client';
import type { Player, Score } from '../api/types';
import { useRequest } from '../api/use_request';
import type { PageProps } from '../app';
import { filterParams, readFilter, type Side } from '../filter/filter';
import { href, withParams } from '../state/route';
import { Link } from '../state/router';
import { grouped, known } from '../ui/format';
import { ErrorNote, Loading, UnreadNote } from '../ui/states';
import { useTitle } from '../ui/use_title';
import { FiguresPage, Totals } from './figures_page';
import { PlayerYears } from './player_years';
import { points, ScoreTable } from './score_table';

const EMPTY = readFilter(new URLSearchParams());

/** The address of the games of a player. */
function gamesOf(
  archive: string,
  name: string,
  more: Record<string, string> = {},
  side: Side = 'any',
) {
  const filter = { ...EMPTY, player: { text: name, isExact: true }, side };
  const query = withParams(new URLSearchParams(), { ...filterParams(filter), ...more });
  return href(archive, 'games', undefined, query);
}

/** The record of a player. */
export function PlayerPage({ archive, name }: PageProps & { name: string }) {
  const url = archiveUrl(archive.name, '/player', { name });
  const { data: player, error, isLoading } = useRequest<Player>(url);
  useTitle(name, archive.name);
  if (error) {
    return (
      <ErrorNote
        title={
          error.status === 404
            ? `The archive has no record of ${name}`
            : `The record of ${name} cannot be read`
        }
        error={error}
        isPage
      >
        <p>
          <Link class="button" href={href(archive.name, 'games')}>
            To the games
          </Link>
        </p>
      </ErrorNote>
    );
  }
  if (!player) return <Loading />;
  const games = player.white.games + player.black.games;
  const { first_year: first, last_year: last } = player;
  const years = first === null ? '' : first === last ? `${first}` : `${first}–${last}`;
  const sides: [string, Side, Score][] = [
    ['White', 'white', player.white],
    ['Black', 'black', player.black],
  ];
  const openings = (side: 'white' | 'black') => (
    <ScoreTable
      title={`Openings as ${side === 'white' ? 'White' : 'Black'}`}
      head="Opening"
      rows={player.openings[side].map((opening) => ({
        ...opening,
        key: `${opening.eco} ${opening.name}`,
        label: (
          <>
            <span class="eco">{opening.eco}</span> {opening.name}
          </>
        ),
        href: gamesOf(archive.name, name, { eco: opening.eco }, side),
      }))}
    />
  );
  const { white, black } = player;
  const score = points({
    games,
    won: white.won + black.won,
    drawn: white.drawn + black.drawn,
    lost: white.lost + black.lost,
  });
  return (
    <FiguresPage
      title={player.name}
      isStale={isLoading}
      about={
        <p>
          <Link class="button" href={gamesOf(archive.name, name)}>
            Show the games
          </Link>
        </p>
      }
    >
      <UnreadNote unread={player.unread} />
      <Totals
        totals={[
          ['Games', grouped(games)],
          ['Score', score],
          ['Best rating', player.best_elo ? String(player.best_elo) : ''],
          ['Years', years],
        ]}
      />
      <ScoreTable
        title="By colour"
        head="Colour"
        rows={sides.map(([label, side, score]) => ({
          ...score,
          key: side,
          label: `As ${label}`,
          href: gamesOf(archive.name, name, {}, side),
        }))}
      />
      <PlayerYears
        years={player.years}
        hrefOf={(year) => gamesOf(archive.name, name, { from: `${year}`, to: `${year}` })}
      />
      <div class="figures-columns">
        {openings('white')}
        {openings('black')}
        <ScoreTable
          title="Opponents"
          head="Opponent"
          rows={player.opponents.map((opponent) => ({
            ...opponent,
            key: opponent.name,
            label: known(opponent.name) ? opponent.name : <span class="quiet">Unknown player</span>,
            href: opponent.name
              ? gamesOf(archive.name, name, { opponent: `=${opponent.name}` })
              : undefined,
          }))}
        />
      </div>
    </FiguresPage>
  );
}
