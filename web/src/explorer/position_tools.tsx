import { useState } from 'preact/hooks';
import { type Position, typed } from '../chess/position';
import { listQuery } from '../filter/filter';
import { href, withParams } from '../state/route';
import { Link } from '../state/router';
import { CopyButton } from '../ui/copy_button';

interface ToolsProps {
  archive: string;
  query: URLSearchParams;
  position: Position;
  fen: string;
  onPlay: (uci: string) => void;
}

/** What can be done with a position: a move typed, its games, its text. */
export function PositionTools({ archive, query, position, fen, onPlay }: ToolsProps) {
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    const uci = typed(position, text);
    setWrong(uci === undefined);
    if (uci === undefined) return;
    setText('');
    onPlay(uci);
  };
  const list = withParams(listQuery(query), {
    after: null,
    material: null,
    pattern: null,
    flip: null,
  });
  return (
    <div class="position-tools">
      <form onSubmit={submit}>
        <label>
          <span class="hidden">A move to play</span>
          <input
            type="text"
            placeholder="Type a move: Nf3"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            aria-invalid={isWrong}
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value);
              setWrong(false);
            }}
          />
        </label>
        {isWrong && (
          <span class="field-error" role="alert">
            This is not a legal move here.
          </span>
        )}
      </form>
      <p class="links">
        <Link class="button" href={href(archive, 'games', undefined, withParams(list, { fen }))}>
          Games with this position
        </Link>
        <CopyButton label="Copy FEN" text={async () => fen} />
        <Link
          class="button"
          href={href(archive, 'search', undefined, withParams(listQuery(query), { board: fen }))}
        >
          Edit position
        </Link>
      </p>
    </div>
  );
}
