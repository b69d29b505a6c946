import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Score } from '../api/types';
import { Link } from '../state/router';
import { grouped } from '../ui/format';
import { ResultBar } from '../ui/result_bar';

export interface ScoreLine extends Score {
  key: string;
  label: ComponentChildren;
  /** Undefined where there is nothing to lead to. */
  href: string | undefined;
}

interface TableProps {
  title: string;
  head: string;
  rows: ScoreLine[];
}

const SHORT = 12;

/** Points of the games with a result, in percent. */
export function points({ won, drawn, lost }: Score): string {
  const games = won + drawn + lost;
  return games === 0 ? '' : `${((100 * (won + drawn / 2)) / games).toFixed(1)}%`;
}

function ScoreRow({ row }: { row: ScoreLine }) {
  return (
    <tr>
      <th scope="row" dir="auto">
        {row.href ? <Link href={row.href}>{row.label}</Link> : row.label}
      </th>
      <td class="number">{grouped(row.games)}</td>
      <td class="bar">
        <ResultBar white={row.won} draws={row.drawn} black={row.lost} of="player" />
      </td>
      <td class="number">{points(row)}</td>
    </tr>
  );
}

/** Scores against somebody or with something; long ones are cut until all is asked for. */
export function ScoreTable({ title, head, rows }: TableProps) {
  const [isWhole, setWhole] = useState(false);
  if (rows.length === 0) return null;
  const shown = isWhole ? rows : rows.slice(0, SHORT);
  return (
    <section>
      <h2>{title}</h2>
      <table class="score-table">
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col" class="number">
              Games
            </th>
            <th scope="col" class="bar">
              Results
            </th>
            <th scope="col" class="number">
              Score
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <ScoreRow key={row.key} row={row} />
          ))}
        </tbody>
      </table>
      {rows.length > SHORT && (
        <button type="button" class="link-button" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${rows.length}`}
        </button>
      )}
    </section>
  );
}
