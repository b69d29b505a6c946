import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Part {
  name: string;
  licence: string;
  folder: string;
}

interface Metadata {
  packages: { id: string; name: string; version: string; license: string; manifest_path: string }[];
  resolve: {
    root: string;
    nodes: { id: string; deps: { pkg: string; dep_kinds: { kind: string | null }[] }[] }[];
  };
}

const NPM = ['@lichess-org/chessground', 'chessops', '@badrap/result', 'preact'];

/** The packages of npm in the page. */
function scripts(): Part[] {
  return NPM.map((name) => {
    const folder = join('node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { name: `${name} ${version}`, licence: license, folder };
  });
}

/** The crates in the reader, without those that only build it. */
function crates(): Part[] {
  const args = ['metadata', '--format-version', '1', '--manifest-path', 'reader/Cargo.toml'];
  const options = { encoding: 'utf8', maxBuffer: 1 << 28 } as const;
  const platform = ['--filter-platform', 'wasm32-unknown-unknown'];
  const metadata: Metadata = JSON.parse(execFileSync('cargo', [...args, ...platform], options));
  const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));
  const found = new Set([metadata.resolve.root]);
  for (const id of found) {
    for (const { pkg, dep_kinds } of nodes.get(id)?.deps ?? []) {
      if (dep_kinds.some(({ kind }) => kind === null)) found.add(pkg);
    }
  }
  const used = metadata.packages.filter(
    ({ id, name }) => found.has(id) && !name.startsWith('pgna'),
  );
  return used.map(({ name, version, license, manifest_path }) => ({
    name: `${name} ${version}`,
    licence: license,
    folder: dirname(manifest_path),
  }));
}

function texts({ folder }: Part): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  return names.map((name) => readFileSync(join(folder, name), 'utf8').trim());
}

/** The licences of what the page contains from others. */
export function licences(): string {
  const parts = [...scripts(), ...crates()].sort((a, b) => a.name.localeCompare(b.name));
  const sections = parts.map((part) =>
    [`${part.name}: ${part.licence}`, ...texts(part)].join('\n\n'),
  );
  return `${sections.join(`\n\n${'-'.repeat(72)}\n\n`)}\n`;
}
