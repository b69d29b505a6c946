import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { licences } from './licences.ts';

const READER = '../target/web/wasm32-unknown-unknown/release/pgna_reader.wasm';
const HERE = 'static_host';

/** Adds what only the folder for a static host has: README, licence and service worker. */
export function files(): Plugin {
  let publicDir = '';
  return {
    name: 'pgna-files',
    enforce: 'post',
    configResolved(config) {
      publicDir = config.publicDir;
    },
    buildStart() {
      if (!existsSync(READER)) {
        this.error(`The reader is missing (${READER}). Build it first: npm run build:reader`);
      }
    },
    generateBundle(_, bundle) {
      const hash = createHash('sha256');
      const cached: string[] = [];
      const models: string[] = [];
      const add = (name: string, content: string | Uint8Array) => {
        hash.update(name).update(content);
        cached.push(name);
      };
      for (const file of Object.values(bundle)) {
        // Models are cached when an archive needs them.
        if (file.fileName.endsWith('.model')) models.push(file.fileName);
        else add(file.fileName, file.type === 'chunk' ? file.code : file.source);
      }
      for (const name of readdirSync(publicDir)) add(name, readFileSync(join(publicDir, name)));
      const worker = readFileSync(join(HERE, 'service_worker.js'), 'utf8')
        .replace('__FILES__', JSON.stringify(cached))
        .replace('__MODELS__', JSON.stringify(models))
        .replace('__VERSION__', JSON.stringify(hash.digest('hex').slice(0, 16)));
      this.emitFile({ type: 'asset', fileName: 'service_worker.js', source: worker });
      this.emitFile({
        type: 'asset',
        fileName: 'README.md',
        source: readFileSync(join(HERE, 'README.md')),
      });
      this.emitFile({ type: 'asset', fileName: 'LICENSE', source: readFileSync('../LICENSE') });
      this.emitFile({ type: 'asset', fileName: 'LICENCES.txt', source: licences() });
    },
  };
}
