import { Link } from '../state/router';
import { ChartScroll } from '../ui/chart_scroll';
import { counted } from '../ui/format';

interface YearsProps {
  years: Record<string, number>;
  hrefOf: (year: string) => string;
}

const HEIGHT = 120;
const LEAST_WIDTH = 860;
/** The width of a year: as wide as fits, within these. */
const [LEAST_STEP, MOST_STEP] = [6, 40];
/** The part of it that its bar takes. */
const BAR = 0.77;

/** Games by year. */
export function YearBars({ years, hrefOf }: YearsProps) {
  const known = Object.entries(years).filter(([year]) => /^\d+$/.test(year));
  const unknown = years['?'] ?? 0;
  if (known.length < 2) return null;
  const numbers = known.map(([year]) => Number(year));
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  const most = Math.max(...known.map(([, games]) => games));
  const span = last - first;
  const step = Math.min(MOST_STEP, Math.max(LEAST_STEP, LEAST_WIDTH / (span + 1)));
  const width = Math.max(LEAST_WIDTH, (span + 1) * step);
  const gap = span > 80 ? 25 : span > 20 ? 10 : step < MOST_STEP ? 5 : 1;
  const x = (year: number) => (year - first) * step;
  const labelled = numbers.filter((year) => year % gap === 0);
  return (
    <section class="year-bars">
      <h2>Years</h2>
      <ChartScroll label="Games by year">
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: what scrolls it has the name. */}
        <svg viewBox={`-12 0 ${width + 24} ${HEIGHT + 22}`}>
          {known.map(([year, games]) => {
            const height = Math.max(1, (games / most) * HEIGHT);
            const label = `${year}: ${counted(games, 'game')}`;
            return (
              <Link key={year} href={hrefOf(year)} aria-label={label}>
                <title>{label}</title>
                <rect
                  class="bar"
                  x={x(Number(year))}
                  y={HEIGHT - height}
                  width={BAR * step}
                  height={height}
                />
                <rect class="hit" x={x(Number(year))} y={0} width={step} height={HEIGHT} />
              </Link>
            );
          })}
          {labelled.map((year) => (
            <text key={year} class="year" x={x(year) + (BAR * step) / 2} y={HEIGHT + 16}>
              {year}
            </text>
          ))}
        </svg>
      </ChartScroll>
      {unknown > 0 && <p class="quiet">{counted(unknown, 'game')} without a year.</p>}
    </section>
  );
}
