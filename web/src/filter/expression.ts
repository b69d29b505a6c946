/** The filter language of `pgna find --where`: how values are written in it. */

/** A text as a quoted value. */
export function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** All of these; undefined if there are none. Parts that hold an `or` come with brackets. */
export function all(parts: (string | undefined)[]): string | undefined {
  const present = parts.filter((part) => part !== undefined && part !== '');
  return present.length > 0 ? present.join(' and ') : undefined;
}

/** One of these, in brackets if there are several. */
export function any(parts: string[]): string | undefined {
  if (parts.length < 2) return parts[0];
  return `(${parts.join(' or ')})`;
}

const CODE = /^([A-E])(\d?)(\d?)$/;

/** The first and last ECO codes that a beginning such as `B9` has; undefined if it is no code. */
function ecoEnds(text: string): [string, string] | undefined {
  const found = CODE.exec(text);
  if (!found) return undefined;
  const [, letter = '', tens = '', ones = ''] = found;
  return [letter + (tens || '0') + (ones || '0'), letter + (tens || '9') + (ones || '9')];
}

/** `B90`, `B9`, `B` or `B90-C05` as a condition. Other texts are compared as texts. */
export function ecoCondition(text: string): string {
  const parts = text.toUpperCase().split(/\s*(?:-|–|\.\.)\s*/);
  const first = ecoEnds(parts[0] ?? '');
  const last = parts.length > 1 ? ecoEnds(parts[1] ?? '') : first;
  if (parts.length > 2 || !first || !last) return `ECO ~ ${quote(text)}`;
  return first[0] === last[1] ? `ECO = ${first[0]}` : `ECO in ${first[0]}..${last[1]}`;
}
