/** Numbers, dates and names as the page shows them. */

const numbers = new Intl.NumberFormat('en');
export const grouped = (value: number) => numbers.format(value);

/** A share in percent, with one digit where it is small. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '–';
  const value = (100 * part) / whole;
  if (value > 0 && value < 0.1) return '<0.1%';
  return `${value.toFixed(value > 0 && value < 10 ? 1 : 0)}%`;
}

/** `games` or `game`, with the number. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** A date of PGN without its unknown parts. */
export function shownDate(date: string | null | undefined): string {
  return (date ?? '').replace(/(\.\?+)+$/, '').replace(/^\?+$/, '');
}

/** A value of a tag; PGN writes `?` and `-` where it is unknown. */
export function known(value: string | null | undefined): string {
  return !value || /^[?\-.\s]*$/.test(value) ? '' : value;
}

/** The name of a player, or a word where it is not known. */
export function playerName(name: string | null | undefined): string {
  return known(name) || 'Unknown';
}

const RESULTS = new Map([
  ['1-0', '1–0'],
  ['1/2-1/2', '½–½'],
  ['0-1', '0–1'],
]);

/** A result, an unusual one as it is; `*` where the game has none. */
export function shownResult(result: string | null | undefined): string {
  return result ? (RESULTS.get(result) ?? result) : '*';
}

export function bytes(size: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const at = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3));
  const value = size / 1000 ** at;
  return `${value.toFixed(at > 0 && value < 100 ? 1 : 0)} ${units[at]}`;
}
