import { MiniBoard } from '../board/mini_board';
import { FEATURES, isDate, isNumber, readFilter, type Sought } from '../filter/filter';
import { shownResult } from '../ui/format';
import { Icon } from '../ui/icons';

interface Chip {
  label: string;
  value: string;
  /** The parameters that it comes from. */
  params: string[];
}

interface ChipsProps {
  query: URLSearchParams;
  onChange: (changes: Record<string, string>) => void;
}

/** The ends of a range that are something to compare with. */
function range(ends: [string, string], isValid: (text: string) => boolean): string {
  const [from, to] = ends.map((end) => (isValid(end) ? end.trim() : ''));
  if (from && to) return `${from} – ${to}`;
  return from ? `from ${from}` : to ? `to ${to}` : '';
}
const text = (sought: Sought | undefined) => sought?.text ?? '';

function chips(query: URLSearchParams): Chip[] {
  const filter = readFilter(query);
  const side = { any: 'Player', white: 'White', black: 'Black' }[filter.side];
  const get = (name: string) => query.get(name) ?? '';
  const all: Chip[] = [
    { label: side, value: text(filter.player), params: ['player', 'side'] },
    { label: 'Opponent', value: text(filter.opponent), params: ['opponent'] },
    { label: 'Result', value: filter.results.map(shownResult).join(', '), params: ['result'] },
    {
      label: 'Date',
      value: range([filter.from, filter.to], isDate),
      params: ['from', 'to'],
    },
    {
      label: 'Average rating',
      value: range([filter.eloFrom, filter.eloTo], isNumber),
      params: ['elo', 'elo_to'],
    },
    { label: 'ECO', value: filter.eco.toUpperCase(), params: ['eco'] },
    { label: 'Event', value: text(filter.event), params: ['event'] },
    {
      label: 'With',
      value: FEATURES.filter((feature) => filter.has.includes(feature)).join(', '),
      params: ['has'],
    },
    { label: filter.tag, value: text(filter.tagValue), params: ['tag', 'value'] },
    { label: 'Expression', value: filter.where, params: ['where'] },
    { label: 'After', value: get('after'), params: ['after'] },
    { label: 'Material', value: get('material'), params: ['material', 'flip'] },
    { label: 'Pieces', value: get('pattern'), params: ['pattern', 'flip'] },
    { label: 'Positions', value: get('position'), params: ['position', 'flip'] },
  ];
  return all.filter(({ value }) => value !== '');
}

/** What the list is limited to, each with a button that removes it. */
export function FilterChips({ query, onChange }: ChipsProps) {
  const shown = chips(query);
  const fen = query.get('fen');
  if (shown.length === 0 && !fen) return null;
  const remove = (params: string[]) =>
    onChange(Object.fromEntries(params.map((param) => [param, ''])));
  const everything = [...shown.flatMap(({ params }) => params), 'fen'];
  return (
    <ul class="chips" aria-label="The list is limited to">
      {fen && (
        <li class="chip chip-board">
          <MiniBoard fen={fen} />
          <span>Games with this position</span>
          <RemoveButton label="Remove the position" onClick={() => remove(['fen'])} />
        </li>
      )}
      {shown.map(({ label, value, params }) => (
        <li key={params[0]} class="chip">
          <span class="quiet">{label}</span> <bdi>{value}</bdi>
          <RemoveButton label={`Remove ${label}`} onClick={() => remove(params)} />
        </li>
      ))}
      {shown.length + (fen ? 1 : 0) > 1 && (
        <li>
          <button type="button" class="link-button" onClick={() => remove(everything)}>
            Remove all
          </button>
        </li>
      )}
    </ul>
  );
}

function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" class="remove" aria-label={label} title={label} onClick={onClick}>
      <Icon name="close" />
    </button>
  );
}
