import { COLUMNS } from './columns';

/** The choice of the order where there are no columns to click. */
export function Sorting({ sort, onSort }: { sort: string; onSort: (sort: string) => void }) {
  const label = (name: string, text: string) =>
    name === 'white-elo' ? "White's Elo" : name === 'black-elo' ? "Black's Elo" : text;
  return (
    <label class="sorting">
      <span>Sort by</span>
      <select value={sort} onChange={(event) => onSort(event.currentTarget.value)}>
        <option value="">Order of the archive</option>
        {COLUMNS.filter(({ field }) => field !== '').flatMap(({ name, label: text, field }) => [
          <option key={field} value={field}>
            {label(name, text)} ↑
          </option>,
          <option key={`-${field}`} value={`-${field}`}>
            {label(name, text)} ↓
          </option>,
        ])}
      </select>
    </label>
  );
}
