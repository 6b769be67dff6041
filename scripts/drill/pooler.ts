import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbedded } from '../../embedded/embedded.ts';
import { DEMO } from '../../src/app/seed.ts';
import { processesIn, until } from './processes.ts';

/**
 * Three processes over a real PgBouncer in transaction mode: the demo's walk, payments from 48 callers, and
 * the ledger afterwards.
 *
 *   npm run drill:pooler -- [--pgbouncer /usr/sbin/pgbouncer] [--ports 7600] [--seconds 12]
 */

const { values } = parseArgs({
  options: {
    pgbouncer: { type: 'string', default: 'pgbouncer' },
    /** The first of the ports, which follow one another. */
    ports: { type: 'string', default: '7600' },
    seconds: { type: 'string', default: '12' },
  },
});

const CALLERS = 48;
const SERVERS = 8;
const LIMITS = ['statement_timeout', 'idle_in_transaction_session_timeout'];

const [pooler, sandbox, mail, ...apis] = Array.from(
  { length: 6 },
  (_, i) => Number(values.ports) + i,
);
const folder = await mkdtemp(join(tmpdir(), 'archipay-pooler-'));
await chmod(folder, 0o711);
const server = await startEmbedded({ dir: join(folder, 'postgres') });
const admin = new pg.Client({ connectionString: server.adminUrl });
await admin.connect();
const processes = processesIn(folder);
try {
  await startPooler();
  await startServices();
  const walk = script('demo/demo.ts', { PUBLIC_URL: `http://localhost:${apis[0]}` });
  if (!walk.includes('All steps passed')) throw new Error(walk);
  console.log('The walk: all steps passed');
  console.log('Payments:', await pay());
  console.log(script('scripts/ledger-verify.ts'));
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await processes.endAll();
  await admin.end();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function startPooler(): Promise<void> {
  const { port, pathname, username, password } = new URL(server.url);
  for (const limit of LIMITS) await admin.query(`alter role ${username} set ${limit} = '60s'`);
  const path = join(folder, 'pgbouncer.ini');
  const at = `host=127.0.0.1 port=${port} dbname=${pathname.slice(1)}`;
  const settings = [
    '[databases]',
    `archipay = ${at} user=${username} password=${decodeURIComponent(password)}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1\nlisten_port = ${pooler}\nunix_socket_dir =`,
    'auth_type = any\npool_mode = transaction\nmax_client_conn = 500',
    // A transaction's remains in its session are reset for the next.
    `default_pool_size = ${SERVERS}\nserver_reset_query_always = 1`,
  ];
  await writeFile(path, `${settings.join('\n')}\n`, { mode: 0o644 });
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const one = processes.start({
    name: 'pgbouncer',
    program: values.pgbouncer,
    args: [...user, path],
  });
  await until('pgbouncer listens', () => one.said().includes('process up'));
}

function environment(): Record<string, string> {
  return {
    DATABASE_URL: `postgres://archipay@127.0.0.1:${pooler}/archipay`,
    DATABASE_DIRECT_URL: server.url,
    DATA_DIR: join(folder, 'service'),
    SANDBOX_PORT: String(sandbox),
    SANDBOX_SMTP_PORT: String(mail),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  };
}

async function startServices(): Promise<void> {
  for (const [i, port] of apis.entries()) {
    const env = { ...environment(), PORT: String(port), ROLE: i === 0 ? 'all' : 'api' };
    const args = ['scripts/start.mjs'];
    const one = processes.start({ name: `service-${i}`, program: process.execPath, args, env });
    await until(`service ${i} is ready`, () => one.said().includes('is ready ('));
  }
}

/** Its output; the drill ends if it fails. */
function script(path: string, env: Readonly<Record<string, string>> = {}): string {
  const given = { ...process.env, ...environment(), ...env };
  const { status, stdout, stderr } = spawnSync(process.execPath, [path], { env: given });
  if (status !== 0) throw new Error(`${path} ended with ${status}: ${stdout}${stderr}`);
  return stdout.toString().trim();
}

/** From all callers at once, over all processes, with the connections that it takes. */
async function pay() {
  const headers = { 'x-api-key': DEMO.apiKey, 'content-type': 'application/json' };
  const post = (i: number, path: string, body: object, more = {}) =>
    fetch(`http://127.0.0.1:${apis[i % apis.length]}/api${path}`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    });
  const { email: usernameoremail, password } = DEMO.user;
  const login = await post(0, '/auth/login', { usernameoremail, password });
  const { data } = (await login.json()) as { data: { token: string } };
  const card = { card_number: '4111111111111111', expiry_date: '1239', currency_code: 'USD' };
  const counts = { done: 0, failed: 0, connections: 0 };
  const end = performance.now() + Number(values.seconds) * 1000;
  const caller = async (i: number) => {
    while (performance.now() < end) {
      const bearer = { authorization: `Bearer ${data.token}` };
      const reply = await post(i, '/card-checkout/card', { ...card, amount: 10 }, bearer);
      await reply.text();
      counts[reply.ok ? 'done' : 'failed'] += 1;
    }
  };
  const watch = async () => {
    while (performance.now() < end) {
      const { rows } = await admin.query<{ n: number }>(
        'select count(*)::int as n from pg_stat_activity where usename = $1',
        [new URL(server.url).username],
      );
      counts.connections = Math.max(counts.connections, rows[0]?.n ?? 0);
      await pause(100);
    }
  };
  await Promise.all([...Array.from({ length: CALLERS }, (_, i) => caller(i)), watch()]);
  return counts;
}
