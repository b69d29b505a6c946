/** Packs the archives of the tests. */
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pgna } from './pgna';

/** How often the test data are in the archive that is not read at once. */
const COPIES = 20;

/** An archive of more than a few ranges. */
function large(folder: string) {
  const archive = join(folder, 'large.pgna');
  if (process.env.ARCHIVE) {
    copyFileSync(process.env.ARCHIVE, archive);
    return;
  }
  const copies = join(folder, 'copies');
  for (let copy = 0; copy < COPIES; copy += 1) {
    cpSync('../tests/data', join(copies, `${copy}`), { recursive: true });
  }
  pgna('pack', '--index', 'full', copies, '-o', archive);
}

export default function prepare() {
  const folder = mkdtempSync(join(tmpdir(), 'pgna-static-'));
  process.env.STATIC_DATA = folder;
  pgna('pack', '--index', 'full', '../tests/data', '-o', join(folder, 'data.pgna'));
  copyFileSync(join(folder, 'data.pgna'), join(folder, 'Müller & Söhne 100%.pgna'));
  const data = readFileSync(join(folder, 'data.pgna'));
  writeFileSync(join(folder, 'cut.pgna'), data.subarray(0, data.length / 2));
  writeFileSync(join(folder, 'odd.pgn'), '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *\n');
  pgna('pack', join(folder, 'odd.pgn'), '-o', join(folder, 'odd.pgna'));
  writeFileSync(join(folder, 'empty.pgna'), '');
  writeFileSync(join(folder, 'text.pgna'), 'This is no archive. '.repeat(10_000));
  large(folder);
  return () => rmSync(folder, { recursive: true });
}
