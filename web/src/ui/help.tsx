import { Dialog } from './dialog';

const KEYS: [string[], string][] = [
  [['←', '→'], 'One move back or forward'],
  [['Wheel'], 'The same, over the board'],
  [['Home', 'End'], 'To the start, to the end of the line'],
  [['↑', '↓'], 'Between a move and its variations'],
  [['[', ']'], 'Previous or next game'],
  [['f'], 'Flip the board'],
  [['↑', '↓', '⏎'], 'In the list: select a game, open it'],
  [['/'], 'To the filters, from the list'],
  [['?'], 'This help'],
];

const FILTERS: [string, string][] = [
  ['White ~ "carlsen"', 'contains the text, upper or lower case'],
  ['player = "Tal, Mikhail"', 'either player, the exact name'],
  ['year >= 2019 and Result = "1-0"', 'several conditions'],
  ['elo.mean > 2500 or WhiteElo > 2700', 'numbers'],
  ['ECO in B90..B99', 'from B90 to B99'],
  ['not (Event ~ "blitz")', 'negation'],
  ['has clocks and plies < 60', 'what a game contains'],
];

export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys and help" onClose={onClose}>
      <h3>Keys</h3>
      <dl class="help-list">
        {KEYS.map(([keys, text]) => (
          <div key={text}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <h3>Filter expressions</h3>
      <dl class="help-list help-filters">
        {FILTERS.map(([filter, text]) => (
          <div key={filter}>
            <dt>
              <code>{filter}</code>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">
        The language is that of <code>pgna find --where</code>; <code>pgna fields</code> lists the
        fields.
      </p>
    </Dialog>
  );
}
