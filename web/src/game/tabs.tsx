const TABS = [
  ['moves', 'Moves'],
  ['explorer', 'Explorer'],
] as const;

export type Tab = (typeof TABS)[number][0];

/** The choice between the moves of a game and the explorer. */
export function Tabs({ tab, onChoose }: { tab: Tab; onChoose: (tab: Tab) => void }) {
  return (
    <div class="tabs" role="tablist">
      {TABS.map(([name, label]) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={tab === name}
          onClick={() => onChoose(name)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
