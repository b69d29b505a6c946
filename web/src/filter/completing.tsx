import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useRequest } from '../api/use_request';
import { grouped } from '../ui/format';
import { Icon } from '../ui/icons';
import type { Sought } from './filter';

export interface Completion {
  value: string;
  games: number;
}

interface CompletingProps<T> {
  label: string;
  value: Sought | undefined;
  /** The address of the completions of a prefix. */
  url: (prefix: string) => string | null;
  read: (answer: T) => Completion[];
  /** Called with every change; `isTyping` while more is to be expected. */
  onChange: (value: Sought | undefined, isTyping: boolean) => void;
  id?: string;
  placeholder?: string;
}

const TYPING_DELAY = 400;

/** A field of text that completes: what is typed is contained in, what is chosen is exact. */
export function Completing<T>({
  label,
  value,
  url,
  read,
  onChange,
  id,
  placeholder,
}: CompletingProps<T>) {
  const list = useId();
  const [text, setText] = useState(value?.text ?? '');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  // The address may change by Back, or by a link that sets a filter.
  const shown = value?.text ?? '';
  useEffect(() => setText(shown), [shown]);

  const { data } = useRequest<T>(isOpen ? url(text.trim()) : null, 120);
  const completions = isOpen && data ? read(data) : [];

  const send = (sought: Sought | undefined, isTyping: boolean) => {
    clearTimeout(timer.current);
    onChange(sought?.text ? sought : undefined, isTyping);
  };
  const type = (typed: string) => {
    setText(typed);
    setOpen(true);
    setActive(-1);
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => send({ text: typed.trim(), isExact: false }, true),
      TYPING_DELAY,
    );
  };
  const choose = (chosen: string) => {
    setText(chosen);
    setOpen(false);
    send({ text: chosen, isExact: true }, false);
  };
  const leave = () => {
    setOpen(false);
    if (text.trim() !== shown) send({ text: text.trim(), isExact: false }, false);
  };
  const press = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setOpen(true);
      setActive(Math.max(-1, Math.min(completions.length - 1, active + step)));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const chosen = completions[active];
      if (chosen) choose(chosen.value);
      else leave();
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      setOpen(false);
    }
  };

  return (
    <div class="field completing">
      <label>
        <span>{label}</span>
        <input
          id={id}
          type="text"
          dir="auto"
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          placeholder={placeholder}
          aria-expanded={completions.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 ? `${list}-${active}` : undefined}
          value={text}
          onInput={(event) => type(event.currentTarget.value)}
          onFocus={() => setOpen(true)}
          onBlur={leave}
          onKeyDown={press}
        />
      </label>
      {value?.isExact && text === value.text && (
        <span class="exact" title="Exactly this value; change the text to search for a part of it">
          exact
        </span>
      )}
      {text !== '' && (
        <button
          type="button"
          class="clear"
          aria-label={`Clear ${label}`}
          onClick={() => {
            setText('');
            send(undefined, false);
          }}
        >
          <Icon name="close" />
        </button>
      )}
      <ul id={list} role="listbox" aria-label={label} hidden={completions.length === 0}>
        {completions.map((completion, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys.
          <li
            key={completion.value}
            id={`${list}-${at}`}
            role="option"
            aria-selected={at === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(completion.value)}
          >
            <bdi>{completion.value}</bdi>
            <span class="number">{grouped(completion.games)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
