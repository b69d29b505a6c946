// The reader in Node against the program: the same bytes of every game.
//
//   WASM=pgna_reader.wasm PGNA=pgna DATA=tests/data MODELS=spec/models node --test reader.test.mjs
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openArchive } from './instance.mjs';

const { WASM, PGNA, DATA, MODELS } = process.env;
const FILES = { fast: '4.weights', default: '2.weights', max: '3.weights' };
const weights = (level) => readFileSync(join(MODELS, FILES[level]));
const folder = mkdtempSync(join(tmpdir(), 'pgna-reader-'));
after(() => rmSync(folder, { recursive: true }));

/** An archive of the collection. */
function pack(level) {
  const path = join(folder, `${level}.pgna`);
  execFileSync(PGNA, [
    'pack',
    DATA,
    '-o',
    path,
    ...(level === 'radix' ? ['--codec', level] : ['--level', level]),
    '--quiet',
    '-f',
  ]);
  return readFileSync(path);
}

/** All games as the program prints them. */
function printed(level) {
  const options = { maxBuffer: 1 << 30 };
  return execFileSync(PGNA, ['view', join(folder, `${level}.pgna`), '1-', '--quiet'], options);
}

const json = ({ status, body }) => {
  assert.equal(status, 200, body.toString());
  return JSON.parse(body.toString());
};

for (const level of ['radix', 'fast', 'default', 'max']) {
  test(`every byte of an archive of level ${level}`, async () => {
    const archive = pack(level);
    const reader = await openArchive(WASM, archive, { weights });
    const summary = json(reader.opened);
    const start = performance.now();
    const games = Array.from({ length: summary.games }, (_, at) => {
      const { status, body } = reader.ask(`/games/${at + 1}/pgn`);
      assert.equal(status, 200, body.toString());
      return body;
    });
    const millis = (performance.now() - start) / games.length;
    console.log(
      `${level}: ${games.length} games, ${millis.toFixed(2)} ms each, ${reader.bytes() >> 20} MiB`,
    );
    assert.ok(Buffer.concat(games).equals(printed(level)));
    const page = json(reader.ask('/games?limit=3&sort=-plies'));
    assert.equal(page.games.length, 3);
    assert.ok(page.games[0].plies >= page.games[1].plies);
    const { total, games: rows } = json(reader.ask('/games?after=e4&limit=500'));
    const args = ['find', join(folder, `${level}.pgna`), '--after', 'e4', '--list', '--quiet'];
    const found = execFileSync(PGNA, args).toString().trim().split('\n');
    assert.equal(total, found.length);
    assert.deepEqual(
      rows.map(({ number, ply }) => `${number}@${ply}`),
      found.slice(0, 500),
    );
    assert.equal(reader.ask('/games/0').status, 404);
    assert.equal(reader.ask('/games?limti=3').status, 400);
  });
}

test('a model that is missing is an error, and is asked for again', async () => {
  const archive = pack('fast');
  let isThere = false;
  const reader = await openArchive(WASM, archive, {
    weights: (level) => (isThere ? weights(level) : undefined),
  });
  assert.equal(reader.opened.status, 200);
  const refused = reader.ask('/games/1/pgn');
  assert.equal(refused.status, 500);
  assert.match(refused.body.toString(), /model `fast`/);
  isThere = true;
  assert.equal(reader.ask('/games/1/pgn').status, 200);
});

test('a read that fails says why, and is tried again', async () => {
  const archive = pack('radix');
  let fails = true;
  const read = (offset, length) => {
    if (fails) throw new Error('the wire is cut');
    return archive.subarray(offset, offset + length);
  };
  const refused = await openArchive(WASM, archive, { weights, read });
  assert.equal(refused.opened.status, 500);
  assert.match(refused.opened.body.toString(), /the wire is cut/);
  fails = false;
  const opened = await openArchive(WASM, archive, { weights, read });
  assert.equal(opened.opened.status, 200);
});

test('what is no archive', async () => {
  const { opened } = await openArchive(WASM, Buffer.from('1. e4 e5 1-0'), { weights });
  assert.equal(opened.status, 500);
  assert.match(JSON.parse(opened.body.toString()).error, /not a PGN archive|no PGN archive/i);
});
