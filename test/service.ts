import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { stopLeftover } from '#embedded/embedded.ts';
import { DEMO } from '#src/app/seed.ts';
import { atEnd } from './at-end.ts';
import { removeFolder } from './folders.ts';
import { runFolder } from './run-folder.ts';

export interface Service {
  readonly api: string;
  readonly sandbox: string;
  /** Its output so far, on both channels. */
  said(): string;
  readonly dataDir: string;
  /** Sends the signal, and answers the exit code, null where the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts the service as a person does: processes of their own, all of a file in one folder. `command` replaces the
 * usual one.
 */
export async function serviceStarter(
  command = process.execPath,
  args: readonly string[] = ['scripts/start.mjs'],
) {
  const dataDir = await runFolder();
  const running = new Set<ChildProcess>();
  atEnd(async () => {
    for (const child of running) child.kill('SIGKILL');
    // A process that is still ending counts as a user of the server, which then keeps running.
    const stopped = () => stopLeftover(join(dataDir, 'postgres'));
    await vi.waitUntil(stopped, { timeout: 120_000, interval: 100 });
    await removeFolder(dataDir);
  });

  const isReady = (said: string) => /ready \(.*\n\n/s.test(said);
  const start = async (
    extra: Readonly<Record<string, string>> = {},
    /** Whether it has reached the point that the test wants. */
    until: (said: string) => boolean = isReady,
  ): Promise<Service> => {
    flushCompileCache();
    const child = spawn(command, args, {
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        DATA_DIR: dataDir,
        PORT: '0',
        SANDBOX_PORT: '0',
        SANDBOX_SMTP_PORT: '0',
        LOG_LEVEL: 'error',
        ...extra,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    let said = '';
    child.stdout.on('data', (part: Buffer) => (said += part));
    child.stderr.on('data', (part: Buffer) => (said += part));
    const ended = once(child, 'exit');
    await Promise.race([
      ended.then(([code]) => {
        throw new Error(`ended with ${code}: ${said}`);
      }),
      expect.poll(() => until(said), { interval: 50 }).toBe(true),
    ]);
    const place = (name: string) => new RegExp(`${name} +(http\\S+)`).exec(said)?.[1] ?? '';
    return {
      api: place('API'),
      sandbox: place('Sandbox'),
      said: () => said,
      dataDir,
      async end(signal) {
        child.kill(signal);
        const [code] = await ended.catch(() => [null]);
        running.delete(child);
        return code as number | null;
      },
    };
  };
  return Object.assign(start, { dataDir });
}

/** A call with the demo key, and a token where there is one. */
export async function callService(
  id: string,
  base: string,
  { token, key = DEMO.apiKey, body }: { token?: string; key?: string; body?: object } = {},
  // biome-ignore lint/suspicious/noExplicitAny: tests read any body
): Promise<[status: number, body: any]> {
  const [method = '', path = ''] = id.split(' ');
  const reply = await fetch(`${base}${path}`, {
    method,
    headers: {
      'x-api-key': key,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return [reply.status, await reply.json()];
}
