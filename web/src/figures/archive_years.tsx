import { counted } from '../ui/format';
import { HEIGHT, YearBar, YearsChart, yearScale } from './years_chart';

interface YearsProps {
  years: Record<string, number>;
  hrefOf: (year: string) => string;
}

/** Games by year. */
export function ArchiveYears({ years, hrefOf }: YearsProps) {
  const known = Object.entries(years).filter(([year]) => /^\d+$/.test(year));
  const unknown = years['?'] ?? 0;
  if (known.length < 2) return null;
  const scale = yearScale(known.map(([year]) => Number(year)));
  const most = Math.max(...known.map(([, games]) => games));
  const legend = unknown > 0 && <p class="quiet">{counted(unknown, 'game')} without a year.</p>;
  return (
    <YearsChart title="Years" label="Games by year" scale={scale} legend={legend}>
      {known.map(([year, games]) => (
        <YearBar
          key={year}
          scale={scale}
          year={Number(year)}
          label={`${year}: ${counted(games, 'game')}`}
          href={hrefOf(year)}
          parts={[['bar', Math.max(1, (games / most) * HEIGHT)]]}
        />
      ))}
    </YearsChart>
  );
}
