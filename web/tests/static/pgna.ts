import { execFileSync } from 'node:child_process';

/** Runs the program and returns what it prints. */
export function pgna(...args: string[]): Buffer {
  const program = process.env.PGNA ?? '../target/release/pgna';
  return execFileSync(program, args, { maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'] });
}
