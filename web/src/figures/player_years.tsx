import type { PlayerYear } from '../api/types';
import { counted } from '../ui/format';
import { HEIGHT, YearBar, type YearScale, YearsChart, yearScale } from './years_chart';

interface YearsProps {
  years: PlayerYear[];
  hrefOf: (year: number) => string;
}

type RatedYear = PlayerYear & { elo: number };

/** Bars do not reach the top, where the curve of the rating may be. */
const HIGHEST = 0.8 * HEIGHT;

/** Games by year as bars of results, and the rating over them as a curve. */
export function PlayerYears({ years, hrefOf }: YearsProps) {
  if (years.length < 2) return null;
  const scale = yearScale(years.map(({ year }) => year));
  const most = Math.max(...years.map(({ games }) => games), 1);
  const rated = years.filter((year): year is RatedYear => year.elo !== null);
  const hasCurve = rated.length > 1;
  const height = (games: number) => (games / most) * HIGHEST;
  const legend = (
    <p class="legend quiet">
      <span class="key won" /> won <span class="key drawn" /> drawn <span class="key lost" /> lost
      {hasCurve && (
        <>
          {' '}
          <span class="key rating" /> rating
        </>
      )}
    </p>
  );
  return (
    <YearsChart title="By year" label="Games and rating by year" scale={scale} legend={legend}>
      {hasCurve && <RatingLevels rated={rated} scale={scale} />}
      {years.map(({ year, games, won, drawn, lost, elo }) => (
        <YearBar
          key={year}
          scale={scale}
          year={year}
          label={`${year}: ${counted(games, 'game')}, won ${won}, drawn ${drawn}, lost ${lost}${
            elo === null ? '' : `, rating ${elo}`
          }`}
          href={hrefOf(year)}
          parts={[
            ['lost', height(lost)],
            ['drawn', height(drawn)],
            ['won', height(won)],
          ]}
        />
      ))}
      {hasCurve && <RatingCurve rated={rated} scale={scale} />}
    </YearsChart>
  );
}

interface RatingProps {
  rated: RatedYear[];
  scale: YearScale;
}

/** The ratings at the bottom and at the top of the chart. */
function ratingRange(rated: RatedYear[]): [low: number, high: number] {
  const elos = rated.map(({ elo }) => elo);
  return [Math.min(...elos) - 30, Math.max(...elos) + 30];
}

function ratingHeight(rated: RatedYear[]) {
  const [low, high] = ratingRange(rated);
  return (elo: number) => HEIGHT - ((elo - low) / (high - low)) * HEIGHT;
}

/** Lines at round ratings. */
function RatingLevels({ rated, scale }: RatingProps) {
  const [low, high] = ratingRange(rated);
  const y = ratingHeight(rated);
  const step = high - low > 600 ? 200 : high - low > 250 ? 100 : 50;
  const first = Math.ceil(low / step) * step;
  const count = Math.floor((high - first) / step) + 1;
  return (
    <>
      {Array.from({ length: count }, (_, at) => first + at * step).map((elo) => (
        <g key={elo} class="level">
          <line x1={0} x2={scale.width} y1={y(elo)} y2={y(elo)} />
          <text x={scale.width + 4} y={y(elo) + 4}>
            {elo}
          </text>
        </g>
      ))}
    </>
  );
}

function RatingCurve({ rated, scale }: RatingProps) {
  const y = ratingHeight(rated);
  return (
    <>
      <polyline
        class="curve"
        points={rated.map(({ year, elo }) => `${scale.x(year)},${y(elo)}`).join(' ')}
      />
      {rated.map(({ year, elo }) => (
        <circle key={year} class="point" cx={scale.x(year)} cy={y(elo)} r={2.2} />
      ))}
    </>
  );
}
