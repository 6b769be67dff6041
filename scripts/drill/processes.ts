import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface Command {
  /** The name of its log. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Its working folder, if not this one. */
  readonly cwd?: string;
  /** PostgreSQL refuses to run as root, and then runs as the user of its package. */
  readonly asPostgres?: boolean;
}

export interface Running {
  readonly name: string;
  /** Whether it has run since its start without an end in between. */
  alive(): boolean;
  /** Its output so far. */
  said(): string;
  /** Sends the signal and waits for the end; answers its exit code, null if a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface Processes {
  start(command: Command): Running;
  /** Ends all that still run, in reverse order of their starts. */
  endAll(): Promise<void>;
}

const END_MS = 30_000;

/** Processes of the drill's own, each with a log in that folder; no service of the system is touched. */
export function processesIn(folder: string): Processes {
  const running: Running[] = [];
  return {
    start({ name, program, args, env = {}, cwd, asPostgres = false }) {
      const path = join(folder, `${name}.log`);
      const log = openSync(path, 'a');
      const [command, ...rest] = asPostgres ? unprivileged([program, ...args]) : [program, ...args];
      const { PATH = '', HOME = '' } = process.env;
      const child = spawn(command ?? program, rest, {
        env: { PATH, HOME, ...env },
        ...(cwd !== undefined && { cwd }),
        stdio: ['ignore', log, log],
        // A Ctrl-C reaches the drill, which ends them in order.
        detached: true,
      });
      const one = { name, ...lifeOf(child), said: () => readFileSync(path, 'utf8') };
      running.push(one);
      return one;
    },
    async endAll() {
      for (const one of running.toReversed()) if (one.alive()) await one.end('SIGTERM');
    },
  };
}

function lifeOf(child: ChildProcess): Pick<Running, 'alive' | 'end'> {
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('exit', resolve);
  });
  let alive = true;
  void ended.then(() => {
    alive = false;
  });
  return {
    alive: () => alive,
    async end(signal) {
      child.kill(signal);
      const late = setTimeout(() => child.kill('SIGKILL'), END_MS);
      return ended.finally(() => clearTimeout(late));
    },
  };
}

const unprivileged = (command: readonly string[]): readonly string[] =>
  process.getuid?.() === 0
    ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', '--', ...command]
    : command;

/** Runs a command to its end and answers its output; throws if it fails. */
export async function outputOf(program: string, args: readonly string[], env = process.env) {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (said += part));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${said}`);
  return said.trim();
}

/** Polls until it holds; an error meanwhile counts as not yet. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { withinMs = 120_000, everyMs = 100 } = {},
): Promise<void> {
  const deadline = performance.now() + withinMs;
  let last: unknown;
  for (;;) {
    try {
      if (await holds()) return;
    } catch (error) {
      last = error;
    }
    if (performance.now() > deadline)
      throw new Error(`Gave up waiting until ${what}`, { cause: last });
    await pause(everyMs);
  }
}
