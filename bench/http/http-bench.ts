import type pg from 'pg';
import { openDatabase } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { DEMO } from '#src/app/seed.ts';
import { ACCOUNTS, FUNDS, fund } from '../ledger/ledger-bench.ts';
import { PAYMENT_SCHEMA } from '../ledger/payments.ts';
import { RIVAL_SCHEMA } from '../ledger/rivals.ts';
import { type Burst, createMeter, interleave, type Size } from '../meter.ts';
import type { Place } from '../place.ts';
import type { BenchRow } from '../row.ts';
import { environment } from './environment.ts';
import { createFleet, type Server } from './fleet.ts';
import { FRESH_KEY } from './fresh-key.ts';
import { httpRows } from './http-rows.ts';
import { PEER_SCHEMA } from './peer-top-up.ts';

interface HttpVariant {
  readonly name: string;
  /** More than one where several processes share the work. */
  readonly servers: readonly Server[];
  readonly connections: number;
  readonly requests: readonly string[];
}
const CONNECTIONS = 64;
const REQUESTS = 2000;

/** The service over HTTP against bare Fastify and a peer, each a process of its own. */
export async function runHttpBench({ url, dir }: Place, size: Size): Promise<BenchRow[]> {
  const { db, pool, close } = openDatabase(url);
  const fleet = createFleet(dir, environment(url, dir));
  try {
    const service = await fleet.start('service.ts');
    const first = await prepare(pool, () => fund(db));
    const servers = {
      node: await fleet.start('bare.ts', ['node']),
      fastify: await fleet.start('bare.ts', ['fastify']),
      stack: await fleet.start('stack.ts'),
      peer: await fleet.start('peer.ts'),
      service,
      second: await fleet.start('service.ts'),
      quiet: await fleet.start('quiet-service.ts'),
    };
    const meter = await createMeter(pool);
    const burst = ({ name, servers: of, connections, requests }: HttpVariant, ms: number) =>
      meter.watch(
        of.map(({ pid }) => pid),
        () =>
          fleet.load(
            { target: name, connections, ms },
            { ports: of.map(({ port }) => port), requests },
          ),
      );
    const bursts = new Map<string, readonly Burst[]>();
    for (const group of groups(servers, first))
      for (const [name, measured] of await interleave(burst, group, size))
        bursts.set(name, measured);
    const { broken } = await verifyLedger(db);
    if (broken.length > 0) throw new Error(`The bench broke the ledger: ${JSON.stringify(broken)}`);
    return httpRows(bursts);
  } finally {
    await fleet.stop();
    await close();
  }
}

/** Accounts with money on both sides, under the same ids. */
async function prepare(pool: pg.Pool, fund: () => Promise<number>): Promise<number> {
  const first = await fund();
  await pool.query(PAYMENT_SCHEMA);
  await pool.query(RIVAL_SCHEMA);
  await pool.query(PEER_SCHEMA);
  await pool.query(
    'insert into rival.account (id, balance) select n, $1 from generate_series(1, $2::int) n',
    [FUNDS, first + ACCOUNTS],
  );
  await pool.query('vacuum analyze');
  return first;
}

type Servers = Readonly<
  Record<'node' | 'fastify' | 'stack' | 'peer' | 'service' | 'second' | 'quiet', Server>
>;

/** What is compared with each other is measured in turns. */
function groups(servers: Servers, first: number): HttpVariant[][] {
  const { node, fastify, stack, peer, service, second, quiet } = servers;
  const head = [
    'host: localhost',
    `x-api-key: ${DEMO.apiKey}`,
    `authorization: Bearer ${service.token}`,
  ];
  const get = (path: string) => [`GET ${path} HTTP/1.1`, ...head, '', ''].join('\r\n');
  const post = (path: string, body: object, more: readonly string[] = []) => {
    const text = JSON.stringify(body);
    const type = ['content-type: application/json', `content-length: ${text.length}`];
    return [`POST ${path} HTTP/1.1`, ...head, ...more, ...type, '', text].join('\r\n');
  };
  const any = () => first + Math.floor(Math.random() * ACCOUNTS);
  const many = (make: () => string) => Array.from({ length: REQUESTS }, make);
  const variant = (
    name: string,
    server: Server | readonly Server[],
    make: () => string,
    connections = CONNECTIONS,
  ): HttpVariant => ({ name, servers: [server].flat(), connections, requests: many(make) });
  const reads = (connections: number): HttpVariant[] => [
    variant(`bare-read-${connections}`, fastify, () => get(`/balance/${any()}`), connections),
    variant(`plain-read-${connections}`, stack, () => get(`/api/plain/${any()}`), connections),
    variant(`read-${connections}`, stack, () => get(`/api/coalesced/${any()}`), connections),
  ];
  const pay = (path: string, to: () => number) => () => {
    const payee = to();
    const from = any();
    return post(path, { from: from === payee ? payee + 1 : from, to: payee, currency: 'IDR' });
  };
  const payments = (suffix: string, to: () => number): HttpVariant[] => [
    variant(`transfer${suffix}`, stack, pay('/api/transfer', to)),
    variant(`bare-transfer${suffix}`, fastify, pay('/transfer', to)),
    variant(`peer-transfer${suffix}`, peer, pay('/transfer', to)),
  ];
  const card = { card_number: '4111111111111111', expiry_date: '1239', amount: '25.00' };
  const charge = { ...card, currency_code: 'USD' };
  return [
    [
      variant('node', node, () => get('/profile/17')),
      variant('fastify', fastify, () => get('/profile/17')),
      variant('stack', stack, () => get('/api/profile/17')),
      variant('peer', peer, () => get('/profile/17')),
    ],
    [...reads(CONNECTIONS), variant('peer-read', peer, () => get(`/balance/${any()}`))],
    reads(1),
    [
      variant('wallets', service, () => get(`/api/wallets/fiat/${service.user_id}`)),
      variant('peer-wallets', peer, () => get(`/wallets/${service.user_id}`)),
    ],
    payments('', any),
    payments('-hot', () => first),
    [
      variant('top-up', service, () => post('/api/card-checkout/cardcc', charge)),
      variant('peer-top-up', peer, () => post('/top-up', charge)),
      variant('quiet-top-up', quiet, () => post('/api/card-checkout/cardcc', charge)),
      variant('keyed-top-up', service, () =>
        post('/api/card-checkout/cardcc', charge, [`idempotency-key: ${FRESH_KEY}`]),
      ),
      variant(
        'shared-top-up',
        [service, second],
        () => post('/api/card-checkout/cardcc', charge),
        2 * CONNECTIONS,
      ),
    ],
  ];
}
