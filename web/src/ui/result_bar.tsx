import type { Counts } from '../api/types';
import { counted, percent } from './format';

interface ResultBarProps extends Counts {
  /** Whose results these are: those of White and Black, or won and lost games of a player. */
  of?: 'colours' | 'player';
}

/** Shares of results as a bar of three parts. */
export function ResultBar({ white, draws, black, of = 'colours' }: ResultBarProps) {
  const whole = white + draws + black;
  const names = of === 'colours' ? ['White', 'draws', 'Black'] : ['won', 'drawn', 'lost'];
  const parts: [string, number][] = [
    ['white', white],
    ['draws', draws],
    ['black', black],
  ];
  const label = parts.map(([, count], at) => `${names[at]} ${percent(count, whole)}`).join(', ');
  return (
    <span
      class={`result-bar result-bar-${of}`}
      role="img"
      aria-label={label}
      title={`${label} of ${counted(whole, 'game')}`}
    >
      {parts.map(([name, count]) => (
        <span key={name} class={name} style={{ flexGrow: count }}>
          {whole > 0 && count / whole >= 0.17 ? `${Math.round((100 * count) / whole)}%` : ''}
        </span>
      ))}
    </span>
  );
}
