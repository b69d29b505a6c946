import type { ComponentChildren } from 'preact';
import { filterQuery } from '../filter/filter';
import { href, withParams } from '../state/route';
import { Link } from '../state/router';
import { materialOf, patternOf } from './board_text';
import { fenOfSetup, type Setup } from './setup';

interface SearchProps {
  archive: string;
  query: URLSearchParams;
  setup: Setup;
  error: string | undefined;
  onSet: (changes: Record<string, string | null>, merge?: string) => void;
}

type Mode = 'exact' | 'pattern' | 'material' | 'position';

const MODES: [Mode, string, string][] = [
  ['exact', 'This position', 'All pieces, the side to move and the castling rights.'],
  ['pattern', 'These pieces', 'These pieces on these squares; other squares may have any pieces.'],
  ['material', 'This material', 'Exactly these pieces, on any squares.'],
  ['position', 'An expression', 'Pawn structure, attacks, castling, and moves in sequence.'],
];

/** What is typed in a mode, and how it is written. */
const TEXTS: Record<Exclude<Mode, 'exact'>, [string, ComponentChildren]> = {
  pattern: [
    'Pieces',
    <>
      Capitals are White’s; <code>.e4</code> is an empty square.
    </>,
  ],
  material: [
    'Material',
    <>
      <code>KRPkr</code>; after a letter <code>*</code> is any number, <code>+</code> one or more,{' '}
      <code>?</code> none or one, <code>{'{0-2}'}</code> up to two.
    </>,
  ],
  position: [
    'Expression',
    <>
      <code>isolated Pd and open c</code>, <code>castled opposite and mate</code>,{' '}
      <code>takes q then within 1 takes Q</code>
    </>,
  ],
};

/** What to look for: the position, its pieces, or its material. */
export function SearchForm({ archive, query, setup, error, onSet }: SearchProps) {
  const chosen = query.get('mode');
  const mode = MODES.find(([name]) => name === chosen)?.[0] ?? 'exact';
  const isFlipped = query.get('flip') === 'true';
  const sought = soughtBy(mode, query, setup);
  const canSearch = mode === 'exact' ? error === undefined : sought !== '';
  const target = withParams(filterQuery(query), {
    [mode === 'exact' ? 'fen' : mode]: sought,
    flip: mode !== 'exact' && isFlipped ? 'true' : null,
  });
  return (
    <section class="search-form" aria-label="What to look for">
      <div class="choices" role="radiogroup" aria-label="Look for">
        {MODES.map(([name, label, about]) => (
          <label key={name} class="choice">
            <input
              type="radio"
              name="mode"
              checked={mode === name}
              onChange={() => onSet({ mode: name === 'exact' ? null : name })}
            />
            <span>
              <strong>{label}</strong>
              <span class="quiet">{about}</span>
            </span>
          </label>
        ))}
      </div>
      {mode !== 'exact' && (
        <>
          <TextField
            label={TEXTS[mode][0]}
            value={sought}
            onChange={(text) => onSet({ [`${mode}_text`]: text }, mode)}
          >
            {TEXTS[mode][1]}
          </TextField>
          <label class="switch">
            <input
              type="checkbox"
              checked={isFlipped}
              onChange={(event) => onSet({ flip: event.currentTarget.checked ? 'true' : null })}
            />
            <span>Also with colours reversed</span>
          </label>
        </>
      )}
      {canSearch ? (
        <Link class="button button-main" href={href(archive, 'games', undefined, target)}>
          Find games
        </Link>
      ) : (
        <button type="button" class="button button-main" disabled>
          Find games
        </button>
      )}
    </section>
  );
}

/** The text that is looked for: one that was typed, otherwise that of the board. */
function soughtBy(mode: Mode, query: URLSearchParams, setup: Setup): string {
  if (mode === 'exact') return fenOfSetup(setup);
  const typed = query.get(`${mode}_text`);
  if (typed !== null || mode === 'position') return typed ?? '';
  return mode === 'pattern' ? patternOf(setup.board) : materialOf(setup.board);
}

interface TextProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  children: ComponentChildren;
}

function TextField({ label, value, onChange, children }: TextProps) {
  return (
    <div class="field">
      <label>
        <span>{label}</span>
        <input
          type="text"
          class="fen"
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      </label>
      <p class="quiet">{children}</p>
    </div>
  );
}
