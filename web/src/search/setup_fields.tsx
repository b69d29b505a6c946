import { possibleCastling, type Setup } from './setup';

interface FieldsProps {
  setup: Setup;
  onChange: (setup: Setup) => void;
}

const RIGHTS: [string, string][] = [
  ['K', 'White O-O'],
  ['Q', 'White O-O-O'],
  ['k', 'Black O-O'],
  ['q', 'Black O-O-O'],
];

/** The side to move and the castling rights. */
export function SetupFields({ setup, onChange }: FieldsProps) {
  const possible = possibleCastling(setup.board);
  const toggle = (right: string) => {
    const wanted = RIGHTS.map(([name]) => name).filter(
      (name) => (name === right) !== setup.castling.includes(name),
    );
    onChange({ ...setup, castling: wanted.join('') });
  };
  return (
    <>
      <fieldset class="field">
        <legend>Side to move</legend>
        <div class="segments">
          {(['w', 'b'] as const).map((turn) => (
            <label key={turn}>
              <input
                type="radio"
                name="turn"
                checked={setup.turn === turn}
                onChange={() => onChange({ ...setup, turn, enPassant: '-' })}
              />
              <span>{turn === 'w' ? 'White' : 'Black'}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset class="field">
        <legend>Castling</legend>
        <div class="segments">
          {RIGHTS.map(([right, label]) => (
            <label key={right}>
              <input
                type="checkbox"
                checked={setup.castling.includes(right)}
                disabled={!possible.includes(right)}
                onChange={() => toggle(right)}
              />
              <span>{label}</span>
            </label>
          ))}
        </div>
      </fieldset>
    </>
  );
}
