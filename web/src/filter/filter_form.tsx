import { archiveUrl } from '../api/client';
import type { PlayerNames, TagNames, TagValues } from '../api/types';
import { useRequest } from '../api/use_request';
import { shownResult } from '../ui/format';
import { AdvancedField } from './advanced_field';
import { Completing } from './completing';
import { FEATURES, type Filter, isDate, isNumber, RESULTS, type Side } from './filter';

interface FormProps {
  archive: string;
  filter: Filter;
  /** What the server says against the filter. */
  error: string | undefined;
  /** `field` names what is typed into, undefined for a choice. */
  onChange: (changes: Partial<Filter>, field?: string) => void;
}

const LIMIT = 12;
const names = ({ players }: PlayerNames) =>
  players.map(({ name, games }) => ({ value: name, games }));
const values = (answer: TagValues) => answer.values;
const RESULT_NAMES = Object.fromEntries(RESULTS.map((result) => [result, shownResult(result)]));

/** Adds a value to a list or takes it out. */
function toggled(list: string[], value: string): string[] {
  return list.includes(value) ? list.filter((other) => other !== value) : [...list, value];
}

function Toggles(props: {
  legend: string;
  choices: readonly string[];
  chosen: string[];
  labels?: Record<string, string>;
  /** Whether two choices make a line. */
  isPaired?: boolean;
  onChange: (chosen: string[]) => void;
}) {
  const { legend, choices, chosen, labels = {}, isPaired = false, onChange } = props;
  return (
    <fieldset class={`field toggles ${isPaired ? 'is-paired' : ''}`}>
      <legend>{legend}</legend>
      <div class="segments">
        {choices.map((choice) => (
          <label key={choice}>
            <input
              type="checkbox"
              checked={chosen.includes(choice)}
              onChange={() => onChange(toggled(chosen, choice))}
            />
            <span>{labels[choice] ?? choice}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function SideChoice({ side, onChange }: { side: Side; onChange: (side: Side) => void }) {
  const sides: [Side, string][] = [
    ['any', 'Either'],
    ['white', 'White'],
    ['black', 'Black'],
  ];
  return (
    <div class="segments" role="radiogroup" aria-label="Colour of the player">
      {sides.map(([value, label]) => (
        <label key={value}>
          <input
            type="radio"
            name="side"
            checked={side === value}
            onChange={() => onChange(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </div>
  );
}

function Range(props: {
  legend: string;
  from: string;
  to: string;
  hints: [string, string];
  mode: 'numeric' | 'text';
  isValid: (text: string) => boolean;
  /** What a valid text is. */
  form: string;
  onChange: (end: 'from' | 'to', text: string) => void;
}) {
  const { legend, from, to, hints, mode, isValid, form, onChange } = props;
  return (
    <fieldset class="field range">
      <legend>{legend}</legend>
      <div class="pair">
        <input
          type="text"
          inputMode={mode}
          aria-label={`${legend}, from`}
          aria-invalid={!isValid(from)}
          placeholder={hints[0]}
          value={from}
          onInput={(event) => onChange('from', event.currentTarget.value)}
        />
        <span aria-hidden="true">–</span>
        <input
          type="text"
          inputMode={mode}
          aria-label={`${legend}, to`}
          aria-invalid={!isValid(to)}
          placeholder={hints[1]}
          value={to}
          onInput={(event) => onChange('to', event.currentTarget.value)}
        />
      </div>
      {!(isValid(from) && isValid(to)) && (
        <p class="field-error" role="alert">
          {form}
        </p>
      )}
    </fieldset>
  );
}

export function FilterForm({ archive, filter, error, onChange }: FormProps) {
  const playerUrl = (prefix: string) => archiveUrl(archive, '/players', { prefix, limit: LIMIT });
  const tagUrl = (tag: string) => (prefix: string) =>
    tag ? archiveUrl(archive, `/tags/${encodeURIComponent(tag)}`, { prefix, limit: LIMIT }) : null;
  const tags = useRequest<TagNames>(archiveUrl(archive, '/tags')).data?.tags ?? [];

  return (
    <form class="filter-form" onSubmit={(event) => event.preventDefault()}>
      <Completing
        id="filter-player"
        label="Player"
        value={filter.player}
        url={playerUrl}
        read={names}
        onChange={(player, isTyping) => onChange({ player }, isTyping ? 'player' : undefined)}
      />
      <SideChoice side={filter.side} onChange={(side) => onChange({ side })} />
      <Completing
        label="Opponent"
        value={filter.opponent}
        url={playerUrl}
        read={names}
        onChange={(opponent, isTyping) => onChange({ opponent }, isTyping ? 'opponent' : undefined)}
      />
      <Toggles
        legend="Result"
        choices={RESULTS}
        labels={RESULT_NAMES}
        chosen={filter.results}
        onChange={(results) => onChange({ results })}
      />
      <Range
        legend="Date"
        from={filter.from}
        to={filter.to}
        hints={['1972', '2021.08']}
        mode="text"
        isValid={isDate}
        form="A date is 1972, 2021.08 or 2021.08.31"
        onChange={(end, text) => onChange(end === 'from' ? { from: text } : { to: text }, end)}
      />
      <Range
        legend="Average rating"
        from={filter.eloFrom}
        to={filter.eloTo}
        hints={['2500', '2900']}
        mode="numeric"
        isValid={isNumber}
        form="A rating is a number"
        onChange={(end, text) =>
          onChange(end === 'from' ? { eloFrom: text } : { eloTo: text }, `elo ${end}`)
        }
      />
      <Completing
        label="ECO"
        placeholder="B90, B9, B90-B99"
        value={filter.eco ? { text: filter.eco, isExact: false } : undefined}
        url={tagUrl('ECO')}
        read={values}
        onChange={(eco, isTyping) =>
          onChange({ eco: eco?.text ?? '' }, isTyping ? 'eco' : undefined)
        }
      />
      <Completing
        label="Event"
        value={filter.event}
        url={tagUrl('Event')}
        read={values}
        onChange={(event, isTyping) => onChange({ event }, isTyping ? 'event' : undefined)}
      />
      <Toggles
        legend="Games with"
        isPaired
        choices={FEATURES}
        chosen={filter.has}
        onChange={(has) => onChange({ has })}
      />
      <div class="field">
        <label>
          <span>Another tag</span>
          <select
            value={filter.tag}
            onChange={(event) => onChange({ tag: event.currentTarget.value, tagValue: undefined })}
          >
            <option value="">None</option>
            {tags.map((tag) => (
              <option key={tag} value={tag}>
                {tag}
              </option>
            ))}
          </select>
        </label>
      </div>
      {filter.tag && (
        <Completing
          label={`Value of ${filter.tag}`}
          value={filter.tagValue}
          url={tagUrl(filter.tag)}
          read={values}
          onChange={(tagValue, isTyping) => onChange({ tagValue }, isTyping ? 'value' : undefined)}
        />
      )}
      <AdvancedField filter={filter} error={error} onChange={onChange} />
    </form>
  );
}
