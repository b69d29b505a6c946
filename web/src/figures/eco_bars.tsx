import { Link } from '../state/router';
import { counted, grouped, percent } from '../ui/format';

interface EcoProps {
  eco: Record<string, number>;
  hrefOf: (letter: string) => string;
}

const NAMES = new Map([
  ['A', 'Flank openings'],
  ['B', 'Semi-open games'],
  ['C', 'Open games, French'],
  ['D', 'Closed games'],
  ['E', 'Indian defences'],
]);

/** Games by the letter of their ECO code. */
export function EcoBars({ eco, hrefOf }: EcoProps) {
  const letters = Object.entries(eco).filter(([letter]) => NAMES.has(letter));
  const whole = Object.values(eco).reduce((sum, games) => sum + games, 0);
  const unknown = whole - letters.reduce((sum, [, games]) => sum + games, 0);
  const most = Math.max(1, ...letters.map(([, games]) => games));
  if (letters.length === 0) return null;
  return (
    <section class="eco-bars">
      <h2>Openings</h2>
      <ul>
        {letters.map(([letter, games]) => (
          <li key={letter}>
            <Link href={hrefOf(letter)}>
              <span class="eco">{letter}</span>
              <span class="eco-name">{NAMES.get(letter)}</span>
              <span class="track">
                <span style={{ width: `${(100 * games) / most}%` }} />
              </span>
              <span class="number">{grouped(games)}</span>
              <span class="number quiet">{percent(games, whole)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {unknown > 0 && <p class="quiet">{counted(unknown, 'game')} without an ECO code.</p>}
    </section>
  );
}
