import { useState } from 'preact/hooks';
import { type Position, typedMoves } from '../chess/position';
import { listQuery } from '../filter/filter';
import { href, withParams } from '../state/route';
import { Link } from '../state/router';
import { CopyButton } from '../ui/copy_button';

interface ToolsProps {
  archive: string;
  query: URLSearchParams;
  position: Position;
  fen: string;
  onPlay: (moves: string[]) => void;
}

/** What can be done with a position: moves typed, its games, its text. */
export function PositionTools({ archive, query, position, fen, onPlay }: ToolsProps) {
  const [text, setText] = useState('');
  /** The move that cannot be played. */
  const [wrong, setWrong] = useState<string>();
  const submit = (event: Event) => {
    event.preventDefault();
    const typed = typedMoves(position, text);
    setWrong(typed.illegal);
    if (typed.illegal !== undefined) return;
    setText('');
    if (typed.moves.length > 0) onPlay(typed.moves);
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
          <span class="hidden">Moves to play</span>
          <input
            type="text"
            placeholder="Type moves: Nf3 d5"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            aria-invalid={wrong !== undefined}
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value);
              setWrong(undefined);
            }}
          />
        </label>
        {wrong !== undefined && (
          <span class="field-error" role="alert">
            <bdi>{wrong}</bdi> is not a legal move here.
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
