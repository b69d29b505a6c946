import { glyphs, isOfMove } from '../chess/notation';

/** The glyphs after a move, each with its meaning. */
export function Glyphs({ nags }: { nags: number[] }) {
  return (
    <>
      {glyphs(nags).map(({ nag, text, meaning }) => (
        <span key={nag} class="nag" title={meaning}>
          {isOfMove(nag) ? text : ` ${text}`}
        </span>
      ))}
    </>
  );
}
