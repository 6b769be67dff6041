import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bundleOf } from '../scripts/bundle.ts';

export interface Child {
  /** Its first line; its exit code if it ended without one. */
  readonly said: string;
  /** Sends the signal and waits for the end; answers the exit code, null where the signal was it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

const children = new Set<ChildProcess>();
// Files share this module: it is loaded, and this is registered, once for all of them.
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Scripts that are started often are bundled first, like the service itself: that halves each start. */
let bundle: Promise<string | undefined> | undefined;
const SCRIPTS = globSync('*-child.ts', { cwd: import.meta.dirname });
const CONTENTS = {
  entries: Object.fromEntries(SCRIPTS.map((name) => [name.slice(0, -3), `test/${name}`])),
  folders: ['src', 'test'],
};

/** The path to start such a script from: a bundle of all of them, or the sources if none can be made. */
export async function scriptOf(script: string): Promise<string> {
  bundle ??= bundleOf(CONTENTS);
  const folder = await bundle;
  return join(folder ?? import.meta.dirname, folder ? script.replace(/ts$/, 'js') : script);
}

/**
 * Runs a script of this folder in a process of its own and waits for its first line. The process is killed at the end of the run, if not before.
 */
export async function startChild(script: string, orders: object): Promise<Child> {
  const path = await scriptOf(script);
  // It loads the modules that this process has loaded; the cache is otherwise written at the end: too late for it.
  flushCompileCache();
  const child = spawn(process.execPath, [path, JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  const ended = once(child, 'exit').finally(() => children.delete(child));
  const [said] = await Promise.race([once(child.stdout, 'data'), ended]);
  return {
    said: String(said).trim(),
    async end(signal) {
      child.kill(signal);
      const [code] = await ended;
      return code as number | null;
    },
  };
}

/** Begins the orders in another process, and kills that process where they make it hang. */
export async function killWhereItHangs(script: string, orders: object): Promise<void> {
  const child = await startChild(script, orders);
  expect(child.said).toBe('hangs');
  await child.end('SIGKILL');
}
