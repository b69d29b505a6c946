import { all, any, ecoCondition, quote } from './expression';

/** A text to look for: equal to a value, or contained in it. */
export interface Sought {
  text: string;
  isExact: boolean;
}

export type Side = 'any' | 'white' | 'black';

/** The fields of the form of filters. */
export interface Filter {
  player: Sought | undefined;
  side: Side;
  opponent: Sought | undefined;
  event: Sought | undefined;
  eco: string;
  results: string[];
  from: string;
  to: string;
  eloFrom: string;
  eloTo: string;
  has: string[];
  tag: string;
  tagValue: Sought | undefined;
  /** The expression of the advanced field. */
  where: string;
}

export const RESULTS = ['1-0', '1/2-1/2', '0-1', '*'] as const;
export const FEATURES = ['comments', 'variations', 'clocks', 'evals'] as const;

/** The parameters of an address that belong to the list, in the order in which they are written. */
const FILTER_PARAMS = [
  'player',
  'side',
  'opponent',
  'event',
  'eco',
  'result',
  'from',
  'to',
  'elo',
  'elo_to',
  'has',
  'tag',
  'value',
  'where',
];
export const POSITION_PARAMS = ['fen', 'after', 'material', 'pattern', 'position', 'flip'] as const;
const LIST_PARAMS = [...FILTER_PARAMS, ...POSITION_PARAMS, 'sort'];

/** An exact text begins with `=` in an address. */
function readSought(text: string | null): Sought | undefined {
  if (!text) return undefined;
  return text.startsWith('=')
    ? { text: text.slice(1), isExact: true }
    : { text: text.replace(/^~/, ''), isExact: false };
}

function writeSought(sought: Sought | undefined): string {
  if (!sought?.text) return '';
  if (sought.isExact) return `=${sought.text}`;
  return /^[=~]/.test(sought.text) ? `~${sought.text}` : sought.text;
}

export function readFilter(query: URLSearchParams): Filter {
  const text = (name: string) => query.get(name) ?? '';
  const list = (name: string) => text(name).split(',').filter(Boolean);
  const side = text('side');
  return {
    player: readSought(query.get('player')),
    side: side === 'white' || side === 'black' ? side : 'any',
    opponent: readSought(query.get('opponent')),
    event: readSought(query.get('event')),
    eco: text('eco'),
    results: list('result'),
    from: text('from'),
    to: text('to'),
    eloFrom: text('elo'),
    eloTo: text('elo_to'),
    has: list('has'),
    tag: text('tag'),
    tagValue: readSought(query.get('value')),
    where: text('where'),
  };
}

/** The parameters of a filter, empty ones included. */
export function filterParams(filter: Filter): Record<string, string> {
  return {
    player: writeSought(filter.player),
    side: filter.side === 'any' ? '' : filter.side,
    opponent: writeSought(filter.opponent),
    event: writeSought(filter.event),
    eco: filter.eco,
    result: filter.results.join(','),
    from: filter.from,
    to: filter.to,
    elo: filter.eloFrom,
    elo_to: filter.eloTo,
    has: filter.has.join(','),
    tag: filter.tag,
    value: writeSought(filter.tagValue),
    where: filter.where,
  };
}

function matches(field: string, sought: Sought | undefined): string | undefined {
  if (!sought?.text) return undefined;
  return `${field} ${sought.isExact ? '=' : '~'} ${quote(sought.text)}`;
}

function players({ player, side, opponent }: Filter): string | undefined {
  const white = all([matches('White', player), matches('Black', opponent)]);
  const black = all([matches('Black', player), matches('White', opponent)]);
  if (side === 'white') return white;
  if (side === 'black') return black;
  if (player?.text && opponent?.text) return any([`(${white})`, `(${black})`]);
  return matches('player', player ?? opponent);
}

/** A day, month or year as the filter writes it; undefined for other texts. */
function date(text: string): string | undefined {
  const parts = text.trim().split(/[./-]/);
  const isDate = parts.length <= 3 && parts.every((part) => /^\d{1,4}$/.test(part));
  return isDate ? parts.join('.') : undefined;
}

function bound(field: string, sign: string, value: string | undefined): string | undefined {
  return value ? `${field} ${sign} ${value}` : undefined;
}

function number(text: string): string | undefined {
  return /^\d+$/.test(text.trim()) ? text.trim() : undefined;
}

/** Whether a text of a range is empty or something to compare with. */
export const isDate = (text: string) => !text.trim() || date(text) !== undefined;
export const isNumber = (text: string) => !text.trim() || number(text) !== undefined;

/** What the form asks for, without the advanced field. */
export function formExpression(filter: Filter): string | undefined {
  return all([
    players(filter),
    matches('Event', filter.event),
    filter.eco.trim() ? ecoCondition(filter.eco.trim()) : undefined,
    any(filter.results.map((result) => `Result = ${quote(result)}`)),
    bound('Date', '>=', date(filter.from)),
    bound('Date', '<=', date(filter.to)),
    bound('elo.mean', '>=', number(filter.eloFrom)),
    bound('elo.mean', '<=', number(filter.eloTo)),
    ...filter.has.map((feature) => `has ${feature}`),
    filter.tag ? matches(quote(filter.tag), filter.tagValue) : undefined,
  ]);
}

/** The whole filter as one expression. */
export function expression(filter: Filter): string | undefined {
  const form = formExpression(filter);
  const advanced = filter.where.trim();
  if (!advanced) return form;
  return form ? `${form} and (${advanced})` : advanced;
}

/** The part of a query that belongs to the list of games, to carry it to other pages. */
export function listQuery(query: URLSearchParams): URLSearchParams {
  return pick(query, LIST_PARAMS);
}

/** The same without the position and the order: what statistics and the explorer respect. */
export function filterQuery(query: URLSearchParams): URLSearchParams {
  return pick(query, FILTER_PARAMS);
}

function pick(query: URLSearchParams, names: readonly string[]): URLSearchParams {
  const picked = new URLSearchParams();
  for (const name of names) {
    const value = query.get(name);
    if (value) picked.set(name, value);
  }
  return picked;
}
