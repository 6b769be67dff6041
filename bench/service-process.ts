import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { threadsNs } from './meter.ts';

export interface Started {
  readonly pid: number;
  /** `http://localhost:3000/api`, and where the sandbox's controls are. */
  readonly apiUrl: string;
  readonly sandboxUrl: string;
  readonly port: number;
  /** From the start of the process until it reports ready. */
  readonly seconds: number;
  readonly cpuMs: number;
  /** Graceful, as by Ctrl-C. */
  stop(): Promise<void>;
}

const START_MS = 60_000;

/** `npm start` without npm, on free ports. `env` has the address of its data, `entry` replaces the start script. */
export async function startService(
  env: Readonly<Record<string, string>>,
  entry = 'scripts/start.mjs',
): Promise<Started> {
  const [port, sandbox, smtp] = [await freePort(), await freePort(), await freePort()];
  const start = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', entry)], {
    env: {
      ...process.env,
      LOG_LEVEL: 'warn',
      PORT: String(port),
      SANDBOX_PORT: String(sandbox),
      SANDBOX_SMTP_PORT: String(smtp),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await said(child, 'is ready');
  const seconds = (performance.now() - start) / 1000;
  const { pid = 0 } = child;
  return {
    pid,
    port,
    seconds,
    cpuMs: threadsNs(String(pid)) / 1e6,
    apiUrl: `http://127.0.0.1:${port}/api`,
    sandboxUrl: `http://127.0.0.1:${sandbox}`,
    stop: () => stop(child),
  };
}

function said(child: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let heard = '';
    const listen = (chunk: Buffer) => {
      heard += chunk;
      if (!heard.includes(words)) return;
      clearTimeout(late);
      resolve();
    };
    const late = setTimeout(() => {
      child.kill('SIGTERM');
      reject(new Error(`The service does not start: ${heard}`));
    }, START_MS);
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('exit', (code) => {
      clearTimeout(late);
      reject(new Error(`The service ended with ${code}: ${heard}`));
    });
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

/** A free port. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      server.close(() => resolve(port));
    });
  });
}
