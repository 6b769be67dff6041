import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { bundledMain } from '../../scripts/bundle.ts';
import type { Server } from '../clients/client.ts';
import type { FleetSize, Mode } from '../plan/plan.ts';
import { FIRST_VERSION_CHAIN } from '../plan/workload.ts';
import { createMember, type Member, type Report } from './member.ts';
import { startPooled } from './pooled.ts';
import { freePorts } from './ports.ts';

export interface Fleet {
  readonly folder: string;
  readonly members: readonly Member[];
  /** The processes that answer requests. */
  readonly servers: readonly Server[];
  /** `http://127.0.0.1:4241`, while a process hosts it. */
  readonly sandbox: string;
  start(): Promise<void>;
  /** Connects to a process and sends nothing, and with a second connection a partial request, until it ends. */
  keepSilence(number: number): void;
  /** Sends SIGTERM to all at once. */
  stop(): Promise<void>;
  /** From now on no process is started again, so that all can be killed. */
  abandon(): void;
}

export interface FleetOptions {
  /** DATA_DIR of all of them. */
  readonly folder: string;
  /** The folder of their logs. */
  readonly logs: string;
  readonly size: FleetSize;
  readonly mode: Mode;
  readonly report: Report;
  readonly way: Way;
}

/** Further ways to run the service. */
export interface Way {
  /** From its bundle alone, which is made first. */
  readonly isBundled: boolean;
  /** On a PostgreSQL that it does not start itself, through a pooler. */
  readonly isPooled: boolean;
}

/** Known to all parts of the run, so that each can recognise the addresses. */
export const MNEMONIC = 'test test test test test test test test test test test junk';

const ROLES = { one: ['all'], four: ['api', 'api', 'worker', 'worker'] } as const;

/** The service as operators start it, in processes of its own that share a folder. */
export async function createFleet(options: FleetOptions): Promise<Fleet> {
  const { folder, logs, size, mode, report, way } = options;
  mkdirSync(logs, { recursive: true });
  const script = way.isBundled ? await bundle() : undefined;
  const pooled = way.isPooled ? await startPooled(folder) : undefined;
  const [sandbox = 0, smtp = 0, ...ports] = await freePorts(2 + ROLES[size].length);
  const shared = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    DATA_DIR: folder,
    SANDBOX_PORT: String(sandbox),
    SANDBOX_SMTP_PORT: String(smtp),
    EVM_MNEMONIC: MNEMONIC,
    MOCK_MODE: String(mode === 'mock'),
    RATE_LIMITS: 'off',
    // The two admins who correct the ledger are created when the run begins.
    SECOND_PERSON_DAYS: '0',
    LOG_LEVEL: 'warn',
    LLM_TIMEOUT: '3',
    PURCHASE_CHAIN: FIRST_VERSION_CHAIN,
    ...pooled?.env,
  };
  const members = ROLES[size].map((role, number) => {
    const port = ports[number] ?? 0;
    const place = role === 'worker' ? { WORKER_PORT: String(port) } : { PORT: String(port) };
    const env = { ...shared, ...place, ROLE: role };
    const logPath = join(logs, `${number}.log`);
    return createMember({ number, role, port, env, logPath, report, ...(script && { script }) });
  });
  return {
    folder,
    members,
    servers: members
      .filter(({ role }) => role !== 'worker')
      .map(({ number, port }) => ({ number, api: () => `http://127.0.0.1:${port}/api` })),
    sandbox: `http://127.0.0.1:${sandbox}`,
    async start() {
      await Promise.all(members.map((member) => member.start()));
    },
    keepSilence(number) {
      const { port } = memberOf(members, number);
      for (const half of ['', 'POST /api/auth/login HTTP/1.1\r\nhost: chaos\r\n']) {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => undefined).unref();
        socket.write(half);
      }
    },
    async stop() {
      await Promise.all(members.map((member) => member.stop()));
      await pooled?.stop();
    },
    abandon() {
      for (const member of members) member.abandon();
      void pooled?.stop().catch(() => undefined);
    },
  };
}

async function bundle(): Promise<string> {
  const whys: string[] = [];
  const main = await bundledMain({ debug: (why) => void whys.push(why) });
  if (main === undefined) throw new Error(`There is no bundle: ${whys}`);
  return main;
}

export function memberOf(members: readonly Member[], number: number): Member {
  const member = members[number];
  if (member === undefined) throw new Error(`There is no process ${number}`);
  return member;
}
