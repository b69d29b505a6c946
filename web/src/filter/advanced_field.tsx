import { useEffect, useId, useState } from 'preact/hooks';
import { expression, type Filter } from './filter';

interface AdvancedProps {
  filter: Filter;
  error: string | undefined;
  onChange: (changes: Partial<Filter>) => void;
}

/** The field for an expression, with the error beside it and the whole filter below. */
export function AdvancedField({ filter, error, onChange }: AdvancedProps) {
  const id = useId();
  const [text, setText] = useState(filter.where);
  const [isOpen, setOpen] = useState(filter.where !== '');
  useEffect(() => setText(filter.where), [filter.where]);
  const whole = expression(filter);
  const send = () => text !== filter.where && onChange({ where: text });
  return (
    <details
      class="field advanced"
      open={isOpen || error !== undefined}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>Filter expression</summary>
      <label>
        <span class="hidden">Filter expression</span>
        <textarea
          id="filter-expression"
          rows={3}
          spellcheck={false}
          autocapitalize="off"
          placeholder={'White ~ "tal" and year < 1960'}
          aria-invalid={error !== undefined}
          aria-describedby={error ? id : undefined}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onBlur={send}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey) return;
            event.preventDefault();
            send();
          }}
        />
      </label>
      {error && (
        <p id={id} class="field-error" role="alert" dir="auto">
          {error}
        </p>
      )}
      <p class="quiet">
        Press Enter to apply it. It limits the list together with the fields above.
      </p>
      {whole && whole !== filter.where.trim() && (
        <p class="whole">
          <span class="quiet">Whole filter</span> <code dir="auto">{whole}</code>
        </p>
      )}
    </details>
  );
}
