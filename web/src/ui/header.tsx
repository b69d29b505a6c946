import type { ComponentChildren } from 'preact';
import type { Archive } from '../api/types';
import { listQuery } from '../filter/filter';
import { usePreference } from '../state/preferences';
import { href, type PageName, type Route } from '../state/route';
import { Link, navigate } from '../state/router';
import { counted } from './format';
import { Icon, type IconName } from './icons';
import { San } from './san';
import { useMedia } from './use_media';

const PAGES: [PageName, string][] = [
  ['games', 'Games'],
  ['explorer', 'Explorer'],
  ['search', 'Position'],
  ['stats', 'Statistics'],
];

const THEMES: Record<string, [IconName, string]> = {
  auto: ['auto', 'Colours: as the system'],
  light: ['sun', 'Colours: light'],
  dark: ['moon', 'Colours: dark'],
};

const ICON = `${import.meta.env.BASE_URL}icon.svg`;

export function Brand() {
  return (
    <Link class="brand" href="/">
      <img src={ICON} alt="" width="26" height="26" />
      <span>pgna</span>
    </Link>
  );
}

export function ThemeButton() {
  const [theme, next] = usePreference('theme');
  const [icon, label] = THEMES[theme] ?? ['auto', ''];
  return (
    <button type="button" class="icon-button" onClick={next} title={label} aria-label={label}>
      <Icon name={icon} />
    </button>
  );
}

function NotationButton() {
  const [notation, next] = usePreference('notation');
  const label = `Notation: ${notation}`;
  return (
    <button type="button" class="icon-button" onClick={next} title={label} aria-label={label}>
      <span class="notation-button" aria-hidden="true">
        <San san="N" hasFigurines={notation === 'figurines'} />
      </span>
    </button>
  );
}

function ArchiveSwitch({ archives, route }: { archives: Archive[]; route: Route }) {
  const isNarrow = useMedia('(max-width: 720px)');
  const change = (name: string) => {
    const page = route.page === 'game' || route.page === 'player' ? 'games' : route.page;
    navigate(href(name, page ?? 'games'));
  };
  return (
    <label class="archive-switch">
      <span class="hidden">Archive</span>
      <select
        value={route.archive}
        onChange={(event) => change(event.currentTarget.value)}
        disabled={archives.length < 2}
      >
        {archives.map(({ name, games, error }) => (
          <option key={name} value={name} disabled={error !== undefined} title={error}>
            {error !== undefined
              ? `${name} · ${error}`
              : isNarrow
                ? name
                : `${name} · ${counted(games, 'game')}`}
          </option>
        ))}
      </select>
    </label>
  );
}

interface HeaderProps {
  archives: Archive[];
  route: Route;
  /** What is shown beside the archive. */
  tools: ComponentChildren;
  onHelp: () => void;
}

export function Header({ archives, route, tools, onHelp }: HeaderProps) {
  const { archive, page } = route;
  const query = listQuery(route.query);
  const isCurrent = (name: PageName) => page === name || (name === 'games' && page === 'game');
  return (
    <header class="header">
      <Brand />
      <ArchiveSwitch archives={archives} route={route} />
      {tools}
      <nav aria-label="Pages of the archive">
        {archive !== undefined &&
          PAGES.map(([name, label]) => (
            <Link
              key={name}
              href={href(archive, name, undefined, query)}
              aria-current={isCurrent(name) ? 'page' : undefined}
            >
              {label}
            </Link>
          ))}
      </nav>
      <div class="header-buttons">
        <NotationButton />
        <ThemeButton />
        <button
          type="button"
          class="icon-button"
          onClick={onHelp}
          title="Keys and help (?)"
          aria-label="Keys and help"
        >
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}
