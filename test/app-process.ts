import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, expect } from 'vitest';
import type { Orders } from './app-child.ts';
import type { Body, Person } from './harness.ts';

export interface AppProcess {
  /** A call as that person; answers the status, the body, and whether it was a repetition. */
  post(
    path: string,
    as: Person & { readonly apiKey: string },
    key: string,
    body: object,
  ): Promise<{ status: number; body: Body; replayed: boolean }>;
  /** Sends the signal and waits for the end; answers the exit code, null where the signal was it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Another process of the service. It is killed at the end of the file, if not before. */
export async function appProcess(orders: Orders): Promise<AppProcess> {
  const script = new URL('app-child.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const ended = once(child, 'exit');
  const [said] = await Promise.race([once(child.stdout, 'data'), ended]);
  const api = String(said).trim();
  expect(api).toMatch(/^http/);
  return {
    async post(path, as, key, body) {
      const reply = await fetch(`${api}${path}`, {
        method: 'POST',
        headers: {
          'x-api-key': as.apiKey,
          authorization: `Bearer ${as.token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(body),
      });
      const replayed = reply.headers.get('idempotent-replayed') === 'true';
      return { status: reply.status, body: await reply.json(), replayed };
    },
    async end(signal) {
      child.kill(signal);
      const [code] = await ended;
      return code as number | null;
    },
  };
}
