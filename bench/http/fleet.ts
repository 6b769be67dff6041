import { type ChildProcess, fork } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Work } from '../meter.ts';
import type { Allocated } from './allocations.ts';
import type { Answer, Order, Target } from './load.ts';
import type { BenchPerson } from './people.ts';

/** A server process's message once it listens. */
export interface Listening {
  readonly port: number;
  /** The caller of its requests: a log-in of the demo user, if it made one. */
  readonly token?: string;
  readonly user_id?: number;
  /** Further callers, if it made some. */
  readonly people?: readonly BenchPerson[];
}
export interface Server extends Listening {
  readonly pid: number;
  /** Its heap allocations during that work. */
  allocated(work: () => Promise<unknown>): Promise<Allocated>;
}

export interface Fleet {
  start(script: string, args?: readonly string[]): Promise<Server>;
  load(order: Omit<Order, 'define'>, target: Target): Promise<Work>;
  stop(): Promise<void>;
}

const START_MS = 90_000;
/** The file of each one's output. */
const logs = new WeakMap<ChildProcess, string>();

/** Server processes and the one that loads them, all ended with the parent. */
export function createFleet(dir: string, env: Readonly<Record<string, string>>): Fleet {
  const children: ChildProcess[] = [];
  const defined = new Set<string>();
  const launch = (script: string, args: readonly string[] = []): ChildProcess => {
    // Logs go to a file, as they would: writing them is part of the work.
    const path = join(dir, `${children.length}.log`);
    const log = openSync(path, 'w');
    const child = fork(join(import.meta.dirname, script), [...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', log, log, 'ipc'],
    });
    children.push(child);
    logs.set(child, path);
    return child;
  };
  const loader = launch('load.ts');

  return {
    async start(script, args) {
      const child = launch(script, args);
      const listening = await heard<Listening>(child, START_MS);
      if (child.pid === undefined) throw new Error(`${script} did not start`);
      const signal = (word: 'begin' | 'end') => {
        child.send(word);
        return heard<Allocated>(child, START_MS);
      };
      const allocated = async (work: () => Promise<unknown>) => {
        await signal('begin');
        await work();
        return signal('end');
      };
      return { ...listening, pid: child.pid, allocated };
    },
    async load(order, target) {
      const define = defined.has(order.target) ? {} : { define: target };
      defined.add(order.target);
      loader.send({ ...order, ...define } satisfies Order);
      const answer = await heard<Answer>(loader, order.ms + START_MS);
      if ('error' in answer) throw new Error(answer.error);
      return answer.work;
    },
    async stop() {
      await Promise.all(children.map(end));
    },
  };
}

function heard<T>(child: ChildProcess, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('A bench process does not answer')), ms);
    const onExit = (code: number | null) => {
      clearTimeout(late);
      const why = readFileSync(logs.get(child) ?? '', 'utf8').slice(-2000);
      reject(new Error(`A bench process ended with ${code}: ${why}`));
    };
    child.once('exit', onExit);
    child.once('message', (message) => {
      clearTimeout(late);
      child.off('exit', onExit);
      resolve(message as T);
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await gone;
  clearTimeout(late);
}
