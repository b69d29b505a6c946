import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ApiError } from './api/error';
import type { Archive } from './api/types';
import { useGrowth } from './api/use_growth';
import { useRequest } from './api/use_request';
import { useKeys } from './board/use_keys';
import { ExplorerPage } from './explorer/explorer_page';
import { PlayerPage } from './figures/player_page';
import { StatsPage } from './figures/stats_page';
import { GamePage } from './game/game_page';
import { GamesPage } from './games/games_page';
import { SearchPage } from './search/search_page';
import { href, type Route } from './state/route';
import { Link, navigate, useRoute } from './state/router';
import { Header } from './ui/header';
import { Help } from './ui/help';
import { SkipLink } from './ui/skip_link';
import { ErrorNote, Loading } from './ui/states';

export interface PageProps {
  archive: Archive;
  route: Route;
}

/** The page that an address names. */
function Page({ archive, route }: PageProps) {
  const { page, item } = route;
  const number = Number(item);
  if (page === 'game' && Number.isSafeInteger(number) && number > 0) {
    return <GamePage archive={archive} route={route} number={number} />;
  }
  if (page === 'player' && item) {
    return <PlayerPage key={item} archive={archive} route={route} name={item} />;
  }
  if (page === 'explorer') return <ExplorerPage archive={archive} route={route} />;
  if (page === 'search') return <SearchPage archive={archive} route={route} />;
  if (page === 'stats') return <StatsPage archive={archive} route={route} />;
  if (page === 'games') return <GamesPage archive={archive} route={route} />;
  return <NoSuchPage title="There is no such page" archive={archive.name} />;
}

interface NoPageProps {
  title: string;
  reason?: string;
  /** The archive that the way out leads to. */
  archive: string;
}

/** A dead end with a way out. */
function NoSuchPage({ title, reason, archive }: NoPageProps) {
  return (
    <ErrorNote title={title} isPage>
      {reason && <p dir="auto">{reason}</p>}
      <p>
        <Link class="button" href={href(archive, 'games')}>
          To the games
        </Link>
      </p>
    </ErrorNote>
  );
}

const firstReadable = (archives: Archive[]) => archives.find(({ error }) => error === undefined);

/** Where no archive can be read: why. */
function NoArchive({ archives }: { archives: Archive[] }) {
  if (archives.length === 0) return <ErrorNote title="The server has no archive" isPage />;
  return (
    <ErrorNote title="No archive can be read" isPage>
      {archives.map(({ name, error }) => (
        <p key={name} dir="auto">
          <strong>{name}</strong>: {error}
        </p>
      ))}
    </ErrorNote>
  );
}

function Content({ archives, route }: { archives: Archive[]; route: Route }) {
  const archive = archives.find(({ name }) => name === route.archive);
  const first = firstReadable(archives);
  if (!first) return <NoArchive archives={archives} />;
  if (archive?.error !== undefined) {
    return (
      <NoSuchPage
        title={`The archive ${archive.name} cannot be read`}
        reason={archive.error}
        archive={first.name}
      />
    );
  }
  if (archive) return <Page key={archive.name} archive={archive} route={route} />;
  if (route.archive === undefined && route.page) return <Loading />;
  return (
    <NoSuchPage
      title={route.archive ? `There is no archive ${route.archive}` : 'There is no such page'}
      archive={first.name}
    />
  );
}

interface AppProps {
  /** What is shown until the archives are known. */
  waiting?: ComponentChildren;
  /** What is shown if they cannot be listed. */
  failed?: (error: ApiError) => ComponentChildren;
  /** What the header has beside the archive. */
  tools?: ComponentChildren;
}

const notListed = (error: ApiError) => (
  <ErrorNote title="The archives cannot be listed" error={error} isPage />
);

export function App({ waiting = <Loading />, failed = notListed, tools }: AppProps) {
  const route = useRoute();
  const { data: archives, error } = useRequest<Archive[]>('/api/archives');
  useGrowth(archives);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const first = archives && firstReadable(archives)?.name;
  const isHome = route.archive === undefined && route.page !== undefined;

  useEffect(() => {
    if (isHome && first !== undefined) navigate(href(first, 'games'), { replace: true });
  }, [isHome, first]);
  useKeys({ '?': () => setHelpOpen(true) });

  return (
    <>
      <SkipLink />
      <Header
        archives={archives ?? []}
        route={route}
        tools={tools}
        onHelp={() => setHelpOpen(true)}
      />
      <main id="main" tabIndex={-1}>
        {error && failed(error)}
        {!archives && !error && waiting}
        {archives && <Content archives={archives} route={route} />}
      </main>
      {isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}
    </>
  );
}
