import type { ComponentChildren } from 'preact';

interface FiguresPageProps {
  title: string;
  /** What is written below the title. */
  about: ComponentChildren;
  isStale: boolean;
  children: ComponentChildren;
}

/** A page of figures: what they are about, then totals, charts and tables. */
export function FiguresPage({ title, about, isStale, children }: FiguresPageProps) {
  return (
    <div class={`figures-page ${isStale ? 'is-stale' : ''}`}>
      <header class="figures-head">
        <h1 dir="auto">{title}</h1>
        {about}
      </header>
      {children}
    </div>
  );
}

/** Single figures, each with its name; those without a value are left out. */
export function Totals({ totals }: { totals: [label: string, value: string][] }) {
  return (
    <dl class="totals">
      {totals
        .filter(([, value]) => value !== '')
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
