import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '../../embedded/embedded.ts';
import { type Beside, startBeside } from './beside.ts';
import { checkBooks } from './books.ts';
import { type Client, type Heard, startClient } from './clients.ts';
import { makePeople } from './people.ts';
import { outputOf, processesIn, type Running, until } from './processes.ts';

/**
 * Runs an older version and this one side by side on one database, under load, through the migrations in
 * between, and then compares every payment:
 *
 *   npm run drill:versions -- <commit> [--clients 4] [--payments 400] [--ports 7500] [--keep]
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    clients: { type: 'string', default: '4' },
    /** The number of required successes in each of the three phases. */
    payments: { type: 'string', default: '400' },
    ports: { type: 'string', default: '7500' },
    /** Keeps the folder with all logs. */
    keep: { type: 'boolean', default: false },
  },
});
const [commit] = positionals;
if (commit === undefined) throw new Error('Usage: npm run drill:versions -- <commit>');

const HERE = join(import.meta.dirname, '../..');
const first = Number(values.ports);
const PORTS = { old: [first, first + 1], now: [first + 2, first + 3], sandbox: first + 4 };
const live = true;

const folder = await mkdtemp(join(tmpdir(), 'archipay-side-'));
const processes = processesIn(folder);
const database = await startEmbedded({ dir: join(folder, 'postgres'), durable: false });
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void clear().finally(() => process.exit(130)));

let failed = true;
try {
  await drill(await unpack(commit));
  failed = false;
} finally {
  if (failed) console.error(`The logs are in ${folder}`);
  process.exitCode = failed ? 1 : 0;
  await clear();
}

async function drill(before: string): Promise<void> {
  const addresses = [...PORTS.old, ...PORTS.now].map((port) => `http://127.0.0.1:${port}/api`);
  const [oldApi = '', , newApi = ''] = addresses;
  say(`starting ${commit} on a database of its own`);
  const old = await startVersion('old', before, PORTS.old);
  const [another, ...people] = await makePeople(oldApi, Number(values.clients) + 1);
  if (!another) throw new Error('Nobody was made');
  const heard: Heard[] = [];
  const clients = people.map((person) => startClient(person, addresses, (h) => heard.push(h)));
  const beside = await startBeside(another, addresses);
  await phase('the old version alone', { clients, beside, heard });

  say('migrating under load');
  const env = { ...process.env, DATABASE_URL: database.url };
  const run = ['scripts/run.mjs', 'scripts/migrate.ts'];
  const began = performance.now();
  console.log(await outputOf(process.execPath, run, env));
  say(`migrated within ${Math.round(performance.now() - began)} ms`);
  await phase('the old version on the new schema', { clients, beside, heard });

  say('starting this version beside it');
  const now = await startVersion('new', HERE, PORTS.now);
  await phase('both versions', { clients, beside, heard });
  for (const { name, alive } of [...old, ...now])
    if (!alive()) throw new Error(`The process ${name} has ended`);

  await Promise.all([...clients, beside].map((one) => one.stop()));
  for (const api of [oldApi, newApi]) {
    const books = await checkBooks(clients, api, { url: database.url, live });
    say(`${api}: ${books.acknowledged} top-ups, ${books.lost} lost, ${books.doubled} doubled`);
    const wrong = [...books.wrong, ...(await beside.books(api, database.url))];
    if (wrong.length > 0 || books.lost + books.doubled > 0)
      throw new Error(`The books do not agree: ${wrong.join('; ')}`);
  }
  say(`all that was heard: ${summary(heard)}`);
}

interface Load {
  readonly clients: readonly Client[];
  readonly beside: Beside;
  readonly heard: Heard[];
}

/** Waits until so many more payments have succeeded; reports the other answers. */
async function phase(name: string, { clients, beside, heard }: Load): Promise<void> {
  const from = heard.length;
  const since = () => heard.slice(from);
  await until(`${name}: payments flow`, () => {
    for (const one of [...clients, beside]) one.check();
    return since().filter(({ status }) => status === 200).length >= Number(values.payments);
  });
  const counts = Object.entries(beside.counts()).map(([what, count]) => `${count} ${what}`);
  say(`${name}: ${summary(since())}; beside them so far ${counts.join(', ')}`);
}

function summary(heard: readonly Heard[]): string {
  const counts = new Map<string, number>();
  for (const { status, code } of heard) {
    const what = status === 0 ? 'not there' : `${status} ${code}`.trim();
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].map(([what, count]) => `${count} × ${what}`).join(', ');
}

/** The tree of a commit with its own packages; this one's if both lockfiles agree. */
async function unpack(name: string): Promise<string> {
  const tree = join(folder, 'old');
  const archive = join(folder, 'old.tar');
  await outputOf('git', ['-C', HERE, 'archive', `--prefix=old/`, '-o', archive, name]);
  await outputOf('tar', ['-xf', archive, '-C', folder]);
  const [wanted, have] = await Promise.all([tree, HERE].map(lockOf));
  if (wanted === have) await symlink(join(HERE, 'node_modules'), join(tree, 'node_modules'));
  else {
    say(`installing the packages of ${name}, which are others`);
    await outputOf('npm', ['ci', '--prefix', tree, '--no-audit', '--no-fund']);
  }
  return tree;
}

function lockOf(tree: string): Promise<string> {
  return readFile(join(tree, 'package-lock.json'), 'utf8');
}

/** Two processes, one of which works jobs, too. */
async function startVersion(name: string, cwd: string, ports: readonly number[]) {
  const nowhere = 'http://127.0.0.1:9';
  const all: Running[] = [];
  for (const [i, port] of ports.entries()) {
    const one = processes.start({
      name: `${name}${i + 1}`,
      program: process.execPath,
      args: ['src/main.ts'],
      cwd,
      env: {
        DATABASE_URL: database.url,
        DATA_DIR: join(folder, 'service'),
        MOCK_MODE: String(!live),
        MIGRATE: name === 'old' ? 'on' : 'off',
        ROLE: i === 0 ? 'all' : 'api',
        PORT: String(port),
        SANDBOX_PORT: String(PORTS.sandbox),
        SANDBOX_SMTP_PORT: String(PORTS.sandbox + 1),
        EVM_SEPOLIA_RPC_URL: nowhere,
        EVM_AMOY_RPC_URL: nowhere,
        EVM_NEON_RPC_URL: nowhere,
      },
    });
    all.push(one);
    await until(`${one.name} is ready`, () => {
      if (!one.alive()) throw new Error(one.said());
      return one.said().includes('is ready (');
    });
  }
  return all;
}

async function clear(): Promise<void> {
  await processes.endAll();
  await database.stop();
  if (!values.keep && !failed) await rm(folder, { recursive: true, force: true });
}

function say(what: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)} ${what}`);
}
