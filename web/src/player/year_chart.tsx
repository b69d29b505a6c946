import type { PlayerYear } from '../api/types';
import { Link } from '../state/router';
import { ChartScroll } from '../ui/chart_scroll';
import { counted } from '../ui/format';

interface ChartProps {
  years: PlayerYear[];
  hrefOf: (year: number) => string;
}

const HEIGHT = 170;
/** The width of all years, and the most that a year takes of it. */
const WIDTH = 960;
const MOST_STEP = 48;

/** Round values between the least and the most, for lines across the chart. */
function levels(least: number, most: number): number[] {
  const step = most - least > 600 ? 200 : most - least > 250 ? 100 : 50;
  const first = Math.ceil(least / step) * step;
  return Array.from(
    { length: Math.floor((most - first) / step) + 1 },
    (_, at) => first + at * step,
  );
}

/** Games by year as bars of results, and the rating over them as a curve. */
export function YearChart({ years, hrefOf }: ChartProps) {
  const first = years[0]?.year;
  const last = years.at(-1)?.year;
  if (first === undefined || last === undefined || years.length < 2) return null;
  const most = Math.max(...years.map(({ games }) => games), 1);
  const step = Math.min(MOST_STEP, WIDTH / (last - first + 1));
  const width = (last - first + 1) * step;
  const x = (year: number) => (year - first + 0.5) * step;
  const rated = years.filter(({ elo }) => elo !== null) as (PlayerYear & { elo: number })[];
  const elos = rated.map(({ elo }) => elo);
  const [low, high] = [Math.min(...elos) - 30, Math.max(...elos) + 30];
  const y = (elo: number) => HEIGHT - ((elo - low) / (high - low)) * HEIGHT;
  const labelled = years.filter(({ year }) => year % (last - first > 30 ? 10 : 5) === 0);

  return (
    <section class="year-chart">
      <h2>By year</h2>
      <ChartScroll label="Games and rating by year">
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: what scrolls it has the name. */}
        <svg viewBox={`-4 -12 ${WIDTH + 44} ${HEIGHT + 36}`}>
          {years.map((year) => (
            <YearBar
              key={year.year}
              year={year}
              x={x(year.year)}
              step={step}
              most={most}
              href={hrefOf(year.year)}
            />
          ))}
          {rated.length > 1 && (
            <>
              {levels(low, high).map((elo) => (
                <g key={elo} class="level">
                  <line x1={0} x2={width} y1={y(elo)} y2={y(elo)} />
                  <text x={width + 4} y={y(elo) + 4}>
                    {elo}
                  </text>
                </g>
              ))}
              <polyline
                class="curve"
                points={rated.map(({ year, elo }) => `${x(year)},${y(elo)}`).join(' ')}
              />
              {rated.map(({ year, elo }) => (
                <circle key={year} class="point" cx={x(year)} cy={y(elo)} r={2.2} />
              ))}
            </>
          )}
          {labelled.map(({ year }) => (
            <text key={year} class="year" x={x(year)} y={HEIGHT + 16}>
              {year}
            </text>
          ))}
        </svg>
      </ChartScroll>
      <p class="legend quiet">
        <span class="key won" /> won <span class="key drawn" /> drawn <span class="key lost" /> lost
        {rated.length > 1 && (
          <>
            {' '}
            <span class="key rating" /> rating
          </>
        )}
      </p>
    </section>
  );
}

interface BarProps {
  year: PlayerYear;
  x: number;
  /** The width that a year has. */
  step: number;
  most: number;
  href: string;
}

function YearBar({ year, x, step, most, href }: BarProps) {
  const bar = 0.72 * step;
  const { won, drawn, lost, elo } = year;
  const height = (games: number) => (games / most) * HEIGHT * 0.8;
  const rating = elo === null ? '' : `, rating ${elo}`;
  const label = `${year.year}: ${counted(year.games, 'game')}, won ${won}, drawn ${drawn}, lost ${lost}${rating}`;
  let top = HEIGHT;
  const part = (games: number, name: string) => {
    top -= height(games);
    return <rect class={name} x={x - bar / 2} y={top} width={bar} height={height(games)} />;
  };
  return (
    <Link href={href} aria-label={label}>
      <title>{label}</title>
      {part(lost, 'lost')}
      {part(drawn, 'drawn')}
      {part(won, 'won')}
      <rect class="hit" x={x - step / 2} y={0} width={step} height={HEIGHT} />
    </Link>
  );
}
