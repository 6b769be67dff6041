import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config/config.ts';
import { run } from '#kernel/db/db.ts';
import { createLog } from '#kernel/log.ts';
import { newToken } from '#kernel/secrets/token.ts';
import { type App, createApp } from '#src/app/app.ts';
import type { Case } from './case.ts';
import { startIdleCardano, startIdleNode } from './idle-node.ts';
import { people, type Sizes } from './sizes.ts';
import { PASSWORD } from './values.ts';

/** Sends one request of a case; answers the status. */
export type Ask = (one: Case) => Promise<number>;

const CHAINS = { SEPOLIA: 11_155_111, AMOY: 80_002, NEON: 245_022_926 };

/** A service over that database, which runs jobs only on request. */
export async function withService(
  databaseUrl: string,
  sizes: Sizes,
  work: (app: App, ask: Ask) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipay-grow-'));
  const nodes = await Promise.all(Object.values(CHAINS).map(startIdleNode));
  const cardano = await startIdleCardano();
  const urls = Object.keys(CHAINS).map((key, i) => [`EVM_${key}_RPC_URL`, nodes[i]?.url]);
  const app = await startApp(databaseUrl, dataDir, {
    ...Object.fromEntries(urls),
    CARDANO_URL: cardano.url,
  });
  try {
    const ask = await asker(app, sizes);
    await prepare(app, sizes, ask);
    await work(app, ask);
  } finally {
    await app.close();
    for (const { server } of [...nodes, cardano]) {
      server.closeAllConnections();
      server.close();
    }
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function startApp(
  databaseUrl: string,
  dataDir: string,
  chains: Readonly<Record<string, string>>,
): Promise<App> {
  const config = loadConfig({
    NODE_ENV: 'test',
    PORT: '0',
    SANDBOX_PORT: '0',
    SANDBOX_SMTP_PORT: '0',
    ROLE: 'api',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    ...chains,
  });
  const secrets = {
    MASTER_KEY: `1:${randomBytes(32).toString('base64')}`,
    JWT_SECRET: randomBytes(32).toString('hex'),
    EVM_MNEMONIC: 'test test test test test test test test test test test junk',
  };
  const log = createLog(config.LOG_LEVEL, { write: () => undefined });
  const app = await createApp({ config, databaseUrl, secrets, log, clock: createClock() });
  await app.start();
  return app;
}

/** Rows that cannot be filled in: a password, a customer at the partner, and sent messages. */
async function prepare({ kernel }: App, sizes: Sizes, ask: Ask): Promise<void> {
  const { busy, quiet } = people(sizes);
  const hash = await kernel.passwords.hash(PASSWORD);
  await run(kernel.db, 'update users set password_hash = $1 where user_id = any($2)', [
    hash,
    [busy, quiet],
  ]);
  await ask({
    name: 'partner customer made',
    id: 'POST /pspb/customers',
    as: 'busy',
    body: { user_id: busy },
  });
  await kernel.jobs.drain();
}

/** Calls with a token of the case's user. */
async function asker(app: App, sizes: Sizes): Promise<Ask> {
  const { kernel } = app;
  const { token: key, digest } = newToken();
  await kernel.db
    .insertInto('api_keys')
    .values({ key_hash: digest, key_prefix: key.slice(0, 10), key_suffix: key.slice(-4) })
    .execute();
  const tokens = new Map<string, string>();
  for (const [who, id] of Object.entries(people(sizes))) {
    const owner = who === 'member' ? { userx_id: id } : { user_id: id };
    const { token } = await kernel.sessions.open(kernel.db, { ...owner, method: 'password' });
    tokens.set(who, token);
  }
  let serial = 0;
  return async ({ id, as, params = {}, query = {}, body: given, keyed }) => {
    serial += 1;
    const body = typeof given === 'function' ? given(serial) : given;
    const [method = '', path = ''] = id.split(' ');
    const place = path.replace(/\{(\w+)\}/g, (_, name) => String(params[name]));
    const search = new URLSearchParams(
      Object.entries(query).map(([k, v]): [string, string] => [k, String(v)]),
    );
    const base = /^\/(health|metrics)/.test(path) ? new URL(app.apiUrl()).origin : app.apiUrl();
    const reply = await fetch(`${base}${place}?${search}`, {
      method,
      headers: {
        'x-api-key': key,
        ...(as && { authorization: `Bearer ${tokens.get(as)}` }),
        ...(keyed && { 'idempotency-key': `grown-${key.slice(-8)}-${serial}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    await reply.arrayBuffer();
    return reply.status;
  };
}
