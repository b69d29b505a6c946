/** How moves, glyphs, clocks and evaluations are written. */
import type { Evaluation } from '../api/types';

/**
 * Filled figurines: they have the weight of the letters beside them, on light and on dark ground.
 * The selector after each asks for text in place of a picture.
 */
export const FIGURINES = new Map([
  ['K', '♚\uFE0E'],
  ['Q', '♛\uFE0E'],
  ['R', '♜\uFE0E'],
  ['B', '♝\uFE0E'],
  ['N', '♞\uFE0E'],
]);

/** `12.` or `12…` before the ply with this number, counted from 1 in a game from the start. */
export function moveNumber(ply: number): string {
  return `${Math.ceil(ply / 2)}${ply % 2 === 1 ? '.' : '…'}`;
}

interface Glyph {
  text: string;
  meaning: string;
}

const GLYPHS = new Map<number, [string, string]>([
  [1, ['!', 'good move']],
  [2, ['?', 'mistake']],
  [3, ['!!', 'brilliant move']],
  [4, ['??', 'blunder']],
  [5, ['!?', 'interesting move']],
  [6, ['?!', 'dubious move']],
  [7, ['□', 'only move']],
  [8, ['□', 'only move']],
  [10, ['=', 'equal']],
  [11, ['=', 'equal']],
  [12, ['=', 'equal']],
  [13, ['∞', 'unclear']],
  [14, ['⩲', 'White is slightly better']],
  [15, ['⩱', 'Black is slightly better']],
  [16, ['±', 'White is better']],
  [17, ['∓', 'Black is better']],
  [18, ['+−', 'White is winning']],
  [19, ['−+', 'Black is winning']],
  [20, ['+−', 'White is winning']],
  [21, ['−+', 'Black is winning']],
  [22, ['⨀', 'White is in zugzwang']],
  [23, ['⨀', 'Black is in zugzwang']],
  [32, ['⟳', 'White has a lead in development']],
  [33, ['⟳', 'Black has a lead in development']],
  [36, ['→', 'White has the initiative']],
  [37, ['→', 'Black has the initiative']],
  [40, ['↑', 'White has the attack']],
  [41, ['↑', 'Black has the attack']],
  [44, ['=∞', 'White has compensation']],
  [45, ['=∞', 'Black has compensation']],
  [132, ['⇆', 'White has counterplay']],
  [133, ['⇆', 'Black has counterplay']],
  [138, ['⊕', 'White is in time trouble']],
  [139, ['⊕', 'Black is in time trouble']],
  [140, ['∆', 'with the idea']],
  [145, ['RR', 'editorial comment']],
  [146, ['N', 'novelty']],
]);

/** The glyph of a NAG; one that has none is written as in PGN. */
function glyph(nag: number): Glyph {
  const [text, meaning] = GLYPHS.get(nag) ?? [`$${nag}`, `glyph ${nag}`];
  return { text, meaning };
}

/** The glyphs of NAGs, each once, as some NAGs have the same. */
export function glyphs(nags: number[]): (Glyph & { nag: number })[] {
  const byText = new Map<string, Glyph & { nag: number }>();
  for (const nag of nags) {
    const found = { nag, ...glyph(nag) };
    if (!byText.has(found.text)) byText.set(found.text, found);
  }
  return [...byText.values()];
}

/** Glyphs of moves follow them without a blank, those of positions after one. */
export function isOfMove(nag: number): boolean {
  return nag >= 1 && nag <= 6;
}

/** Seconds as a clock shows them. Tenths appear in the last twenty seconds. */
export function clockText(seconds: number): string {
  const whole = Math.floor(Math.max(0, seconds));
  const pad = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const tenths = whole < 20 && seconds % 1 ? `.${Math.floor((seconds * 10) % 10)}` : '';
  const tail = `${pad(whole % 60)}${tenths}`;
  return hours > 0 ? `${hours}:${pad(minutes)}:${tail}` : `${minutes}:${tail}`;
}

export function evaluationText({ cp, mate }: Evaluation): string {
  if (mate !== undefined) return mate < 0 ? `−M${-mate}` : `M${mate}`;
  const pawns = (cp ?? 0) / 100;
  const sign = pawns > 0 ? '+' : pawns < 0 ? '−' : '';
  return sign + Math.abs(pawns).toFixed(2);
}

/**
 * White's expectation from an evaluation, from -1 to 1, by the logistic curve that Lichess has
 * fitted to games: it lets the chart show differences where they decide something.
 */
export function expectation({ cp, mate }: Evaluation): number {
  if (mate !== undefined) return mate < 0 ? -1 : 1;
  return 2 / (1 + Math.exp(-0.00368208 * (cp ?? 0))) - 1;
}
