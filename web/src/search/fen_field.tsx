import { useEffect, useId, useState } from 'preact/hooks';
import { readPosition } from '../chess/position';
import { fenOfSetup, readSetup, type Setup } from './setup';

interface FenProps {
  setup: Setup;
  error: string | undefined;
  onChange: (setup: Setup) => void;
}

/** The FEN of the board; one that is typed or pasted is set up if it can be read. */
export function FenField({ setup, error, onChange }: FenProps) {
  const id = useId();
  const fen = fenOfSetup(setup);
  const [text, setText] = useState(fen);
  const [unread, setUnread] = useState<string>();
  useEffect(() => {
    setText(fen);
    setUnread(undefined);
  }, [fen]);
  const type = (typed: string) => {
    setText(typed);
    const read = readPosition(typed);
    setUnread(read.error);
    if (read.position) onChange(readSetup(typed));
  };
  const shown = unread ?? error;
  return (
    <div class="field">
      <label>
        <span>FEN</span>
        <input
          type="text"
          class="fen"
          spellcheck={false}
          autocomplete="off"
          aria-invalid={unread !== undefined}
          aria-describedby={shown ? id : undefined}
          value={text}
          onInput={(event) => type(event.currentTarget.value)}
        />
      </label>
      {shown && (
        <p id={id} class={unread ? 'field-error' : 'quiet'} role="status">
          {shown}{' '}
          {!unread && 'It cannot be searched as an exact position, but as pieces or material.'}
        </p>
      )}
    </div>
  );
}
