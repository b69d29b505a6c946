import { Icon, type IconName } from '../ui/icons';

export interface Steps {
  first: () => void;
  previous: () => void;
  next: () => void;
  last: () => void;
}

const BUTTONS: [keyof Steps, IconName, string][] = [
  ['first', 'first', 'To the start (Home)'],
  ['previous', 'previous', 'Move back (←)'],
  ['next', 'next', 'Move forward (→)'],
  ['last', 'last', 'To the end (End)'],
];

export function StepButtons({ steps, onFlip }: { steps: Steps; onFlip: () => void }) {
  return (
    <div class="steps" role="toolbar" aria-label="Moves">
      {BUTTONS.map(([step, icon, label]) => (
        <button key={step} type="button" onClick={steps[step]} aria-label={label} title={label}>
          <Icon name={icon} />
        </button>
      ))}
      <button
        type="button"
        class="flip"
        onClick={onFlip}
        aria-label="Flip the board (f)"
        title="Flip the board (f)"
      >
        <Icon name="flip" />
      </button>
    </div>
  );
}
