import { Link } from '../state/router';
import { ChartScroll } from '../ui/chart_scroll';
import { counted } from '../ui/format';

interface YearsProps {
  years: Record<string, number>;
  hrefOf: (year: string) => string;
}

const HEIGHT = 120;
const STEP = 6;
const BAR = 4.6;

/** Games by year. */
export function YearBars({ years, hrefOf }: YearsProps) {
  const known = Object.entries(years).filter(([year]) => /^\d+$/.test(year));
  const unknown = years['?'] ?? 0;
  if (known.length < 2) return null;
  const numbers = known.map(([year]) => Number(year));
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  const most = Math.max(...known.map(([, games]) => games));
  const width = Math.max(60, last - first + 1) * STEP;
  const gap = last - first > 80 ? 25 : last - first > 20 ? 10 : 5;
  const x = (year: number) => (year - first) * STEP;
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
                  width={BAR}
                  height={height}
                />
                <rect class="hit" x={x(Number(year))} y={0} width={STEP} height={HEIGHT} />
              </Link>
            );
          })}
          {labelled.map((year) => (
            <text key={year} class="year" x={x(year) + BAR / 2} y={HEIGHT + 16}>
              {year}
            </text>
          ))}
        </svg>
      </ChartScroll>
      {unknown > 0 && <p class="quiet">{counted(unknown, 'game')} without a year.</p>}
    </section>
  );
}
