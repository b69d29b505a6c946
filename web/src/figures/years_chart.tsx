import type { ComponentChildren } from 'preact';
import { Link } from '../state/router';
import { ChartScroll } from './chart_scroll';

/** The place of years on a chart. */
export interface YearScale {
  first: number;
  last: number;
  /** The width of a year. */
  step: number;
  /** The width of all years. */
  width: number;
  /** The middle of a year. */
  x: (year: number) => number;
}

/** The height of the bars of a chart. */
export const HEIGHT = 150;
const LEAST_WIDTH = 960;
/** The width of a year: as wide as fits, within these. */
const [LEAST_STEP, MOST_STEP] = [6, 48];
/** The part of it that its bar takes. */
const BAR = 0.75;
/** The narrowest label with the space around it. */
const LABEL = 44;
/** On a narrow screen a chart is shown at this scale and scrolls. */
const NARROW = 0.8;

export function yearScale(years: number[]): YearScale {
  const [first, last] = [Math.min(...years), Math.max(...years)];
  const count = last - first + 1;
  const step = Math.min(MOST_STEP, Math.max(LEAST_STEP, LEAST_WIDTH / count));
  return { first, last, step, width: count * step, x: (year) => (year - first + 0.5) * step };
}

/** The years that are written below a chart: as many round ones as have space. */
function labels({ first, last, step }: YearScale): number[] {
  const gap = [1, 2, 5, 10, 25, 50].find((years) => years * step >= LABEL) ?? 100;
  const start = Math.ceil(first / gap) * gap;
  const count = Math.max(0, Math.floor((last - start) / gap) + 1);
  return Array.from({ length: count }, (_, at) => start + at * gap);
}

interface ChartProps {
  title: string;
  label: string;
  scale: YearScale;
  children: ComponentChildren;
  /** What is written below the chart. */
  legend?: ComponentChildren;
}

/** A chart over years. */
export function YearsChart({ title, label, scale, children, legend }: ChartProps) {
  const width = Math.max(LEAST_WIDTH, scale.width) + 52;
  return (
    <section class="years-chart">
      <h2>{title}</h2>
      <ChartScroll label={label}>
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: what scrolls it has the name. */}
        <svg
          viewBox={`-12 -12 ${width} ${HEIGHT + 34}`}
          style={{ minWidth: `${NARROW * width}px` }}
        >
          {children}
          {labels(scale).map((year) => (
            <text key={year} class="year" x={scale.x(year)} y={HEIGHT + 16}>
              {year}
            </text>
          ))}
        </svg>
      </ChartScroll>
      {legend}
    </section>
  );
}

interface BarProps {
  scale: YearScale;
  year: number;
  label: string;
  href: string;
  /** The parts of the bar from the bottom up: their classes and heights. */
  parts: [name: string, height: number][];
}

/** The bar of a year, which leads to its games. */
export function YearBar({ scale, year, label, href, parts }: BarProps) {
  const { step } = scale;
  const middle = scale.x(year);
  let top = HEIGHT;
  return (
    <Link href={href} aria-label={label}>
      <title>{label}</title>
      {parts.map(([name, height]) => {
        top -= height;
        return (
          <rect
            key={name}
            class={name}
            x={middle - (BAR * step) / 2}
            y={top}
            width={BAR * step}
            height={height}
          />
        );
      })}
      <rect class="hit" x={middle - step / 2} y={0} width={step} height={HEIGHT} />
    </Link>
  );
}
