/** How the form of filters is written as an expression, and that the server reads what is written. */
import { expression, filterParams, readFilter } from '../src/filter/filter';
import { expect, firstArchive, games, test } from './fixtures';

const CASES: [query: string, expression: string | undefined][] = [
  ['', undefined],
  ['player=tal', 'player ~ "tal"'],
  ['player==Tal, Mikhail', 'player = "Tal, Mikhail"'],
  ['player==Tal&side=white', 'White = "Tal"'],
  ['player=~=odd', 'player ~ "=odd"'],
  ['opponent=x', 'player ~ "x"'],
  ['player=a&opponent=b&side=black', 'Black ~ "a" and White ~ "b"'],
  ['player=a&opponent=b', '((White ~ "a" and Black ~ "b") or (Black ~ "a" and White ~ "b"))'],
  ['event=say "hi" \\', 'Event ~ "say \\"hi\\" \\\\"'],
  ['eco=b90', 'ECO = B90'],
  ['eco=B9', 'ECO in B90..B99'],
  ['eco=B', 'ECO in B00..B99'],
  ['eco=B90 - C05', 'ECO in B90..C05'],
  ['eco=Sicilian', 'ECO ~ "Sicilian"'],
  ['result=1-0', 'Result = "1-0"'],
  ['result=1-0,1/2-1/2', '(Result = "1-0" or Result = "1/2-1/2")'],
  ['from=2019&to=2021-08-31', 'Date >= 2019 and Date <= 2021.08.31'],
  ['from=soon', undefined],
  ['elo=2500&elo_to=2600', 'elo.mean >= 2500 and elo.mean <= 2600'],
  ['has=clocks,comments', 'has clocks and has comments'],
  ['tag=Year&value==2', '"Year" = "2"'],
  ['where=year > 2000 or mate', 'year > 2000 or mate'],
  ['result=0-1&where=year > 2000 or mate', 'Result = "0-1" and (year > 2000 or mate)'],
];

/** A query without the encoding of an address. */
function queryOf(text: string): URLSearchParams {
  const pairs = text.split('&').filter(Boolean);
  return new URLSearchParams(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

for (const [query, wanted] of CASES) {
  test(`the filter ${query || 'without conditions'}`, async ({ request }) => {
    const filter = readFilter(queryOf(query));
    expect(expression(filter)).toBe(wanted);
    expect(readFilter(new URLSearchParams(filterParams(filter)))).toEqual(filter);
    if (wanted === undefined) return;
    const archive = await firstArchive(request);
    await games(request, archive, new URLSearchParams({ where: wanted, limit: '1' }).toString());
  });
}
