import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Reports a fault. */
export type Report = (what: 'start' | 'ended' | 'stop', facts: object) => void;

export interface MemberOptions {
  readonly number: number;
  readonly role: 'all' | 'api' | 'worker';
  /** The address of its health check. */
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  /** The command of `npm start`, unless a test replaces it. */
  readonly script?: string;
  readonly logPath: string;
  readonly report: Report;
}

/** One process of the service, and its supervisor. */
export interface Member {
  readonly number: number;
  readonly role: MemberOptions['role'];
  readonly port: number;
  pid(): number | undefined;
  /** Starts it and waits until it is ready; starts it again if it ends instead, which is reported. */
  start(): Promise<void>;
  /** Ends it and starts it again after a while. Other actions on it wait for that. */
  restart(signal: 'SIGKILL' | 'SIGTERM', downMs: number): Promise<void>;
  /** Ends it by SIGTERM, for good. */
  stop(): Promise<void>;
  /** From now on it is not started again. */
  abandon(): void;
  /** Waits until no action on it is running. */
  settled(): Promise<void>;
  isReady(): Promise<boolean>;
}

const READY_MS = 90_000;
const STARTS = 6;
/** Three times what the service gives itself. */
const STOP_MS = 45_000;

export function createMember(options: MemberOptions): Member {
  const { number, role, port, report } = options;
  let child: ChildProcess | undefined;
  let isWanted = false;
  let isAbandoned = false;
  let turn: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    turn = turn.then(work);
    return turn;
  };

  async function up(): Promise<void> {
    for (let n = 1; n <= STARTS && !isAbandoned; n += 1) {
      const started = launch(options);
      child = started;
      isWanted = true;
      if (await readyOrEnded(port, started)) {
        started.once('exit', () => fell(started));
        // It may have ended since it reported ready.
        if (isOver(started)) fell(started);
        return;
      }
      report('start', { member: number, code: started.exitCode, said: lastWords(options) });
      await pause(500);
    }
    throw new Error(`Process ${number} does not start: ${lastWords(options)}`);
  }

  /** It ended by itself: as a supervisor would, we start it again. */
  function fell(fallen: ChildProcess): void {
    if (!isWanted || isAbandoned || child !== fallen) return;
    const { exitCode: code, signalCode: signal } = fallen;
    report('ended', { member: number, code, signal, said: lastWords(options) });
    inTurn(up).catch(() => undefined);
  }

  async function down(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    isWanted = false;
    const ending = child;
    if (ending === undefined || isOver(ending)) return;
    const gone = once(ending, 'exit');
    const since = performance.now();
    ending.kill(signal);
    await Promise.race([gone, pause(STOP_MS, undefined, { ref: false })]);
    if (signal === 'SIGKILL') return void (await gone);
    const [code, seconds] = [ending.exitCode, Math.round((performance.now() - since) / 100) / 10];
    if (code !== 0) report('stop', { member: number, code, seconds, said: lastWords(options) });
    ending.kill('SIGKILL');
    await gone;
  }

  return {
    number,
    role,
    port,
    pid: () => (child && !isOver(child) ? child.pid : undefined),
    start: () => inTurn(up),
    restart: (signal, downMs) =>
      inTurn(async () => {
        await down(signal);
        await pause(downMs);
        await up();
      }),
    stop: () => inTurn(() => down('SIGTERM')),
    abandon() {
      isAbandoned = true;
    },
    settled: () => turn,
    isReady: () => isReady(port),
  };
}

const START = join(import.meta.dirname, '../../scripts/start.mjs');

function launch({ env, logPath, script = START }: MemberOptions): ChildProcess {
  const log = openSync(logPath, 'a');
  // In a group of its own: we handle a Ctrl-C.
  const child = spawn(process.execPath, [script], {
    env,
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  return child;
}

const isOver = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

async function readyOrEnded(port: number, child: ChildProcess): Promise<boolean> {
  const since = performance.now();
  while (!isOver(child)) {
    if (await isReady(port)) return true;
    if (performance.now() - since > READY_MS) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    } else await pause(30);
  }
  return false;
}

const ASK_MS = 3_000;

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(ASK_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** The end of its log. */
function lastWords({ logPath }: MemberOptions): string {
  return readFileSync(logPath, 'utf8').trim().split('\n').slice(-3).join('\n').slice(-1_500);
}
