import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import type { Shapes } from '../api/types';
import { squaresOf } from '../chess/position';

const BRUSHES = new Map([
  ['G', 'green'],
  ['R', 'red'],
  ['Y', 'yellow'],
  ['B', 'blue'],
]);
const SQUARE = /^[a-h][1-8]$/;

/** Circles and arrows of a comment; texts that are none are left out. */
export function drawn(shapes: Shapes | undefined): DrawShape[] {
  const texts = [...(shapes?.squares ?? []), ...(shapes?.arrows ?? [])];
  return texts.flatMap((text) => {
    const brush = BRUSHES.get(text[0] ?? '') ?? 'green';
    const [orig, dest] = [text.slice(1, 3), text.slice(3, 5)];
    if (!SQUARE.test(orig) || (dest !== '' && !SQUARE.test(dest))) return [];
    return [{ orig: orig as Key, brush, ...(dest ? { dest: dest as Key } : {}) }];
  });
}

/** The arrow of a move that is pointed at. */
export function arrowOf(uci: string | undefined): DrawShape[] {
  const [orig, dest] = squaresOf(uci);
  return orig && dest ? [{ orig, dest, brush: 'blue' }] : [];
}
