import type pg from 'pg';
import { openDatabase } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { DEMO } from '#src/app/seed.ts';
import { ACCOUNTS, FUNDS, fund } from '../ledger/ledger-bench.ts';
import { PAYMENT_SCHEMA } from '../ledger/payments.ts';
import { RIVAL_SCHEMA } from '../ledger/rivals.ts';
import { type Burst, createMeter, interleave, meanOf, type Size } from '../meter.ts';
import type { Place } from '../place.ts';
import type { BenchRow } from '../row.ts';
import type { Allocated } from './allocations.ts';
import { environment } from './environment.ts';
import { createFleet, type Fleet, type Server } from './fleet.ts';
import { FRESH_KEY } from './fresh-key.ts';
import { allocationRows, httpRows } from './http-rows.ts';
import { PEER_SCHEMA } from './peer-top-up.ts';
import type { BenchPerson } from './people.ts';
import { whileNothingMoves } from './unmoved.ts';

interface HttpVariant {
  readonly name: string;
  /** More than one if several processes share the work. */
  readonly servers: readonly Server[];
  readonly connections: number;
  readonly requests: readonly string[];
}
const CONNECTIONS = 64;
const REQUESTS = 2000;

/** The service over HTTP against bare Fastify and a peer, each a process of its own; of `chosen` groups alone. */
export async function runHttpBench(
  { url, dir }: Place,
  size: Size,
  chosen?: readonly string[],
): Promise<BenchRow[]> {
  const { db, pool, close } = openDatabase(url);
  const fleet = createFleet(dir, environment(url, dir));
  try {
    const service = await fleet.start('service.ts', ['people']);
    const first = await prepare(pool, () => fund(db));
    const servers = {
      node: await fleet.start('bare.ts', ['node']),
      fastify: await fleet.start('bare.ts', ['fastify']),
      stack: await fleet.start('stack.ts'),
      peer: await fleet.start('peer.ts'),
      service,
      second: await fleet.start('service.ts'),
      quiet: await fleet.start('quiet.ts', ['service.ts']),
      quietStack: await fleet.start('quiet.ts', ['stack.ts']),
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
    for (const [group, variants] of groups(servers, first)) {
      if (chosen && !chosen.includes(group)) continue;
      const take = () => interleave(burst, variants(), size);
      const measured = await (group === 'emit' ? whileNothingMoves(pool, take) : take());
      for (const [name, each] of measured) bursts.set(name, each);
    }
    const [one = [], other = []] = ['top-up', 'second-top-up'].map((name) => bursts.get(name));
    bursts.set('alone-top-up', meanOf(one, other));
    const { broken } = await verifyLedger(db);
    if (broken.length > 0) throw new Error(`The bench broke the ledger: ${JSON.stringify(broken)}`);
    const rows = httpRows(bursts);
    if (chosen) return rows.filter(({ measured }) => !Number.isNaN(measured));
    return [...rows, ...(await allocations(fleet, servers, first))];
  } finally {
    await fleet.stop();
    await close();
  }
}

/** With fewer, chance dominates. */
const COUNTED = 3000;
const COUNTED_MS = 1500;

/** The heap allocations of a request, which do not depend on other users of the machine. */
async function allocations(fleet: Fleet, servers: Servers, first: number): Promise<BenchRow[]> {
  const variants = groups(servers, first).get('profiles')?.() ?? [];
  const perRequest = async (name: 'stack' | 'fastify'): Promise<Allocated> => {
    const { requests = [] } = variants.find((one) => one.name === name) ?? {};
    const { port, allocated } = servers[name];
    const order = { target: `${name}-allocations`, connections: CONNECTIONS, ms: COUNTED_MS };
    const load = () => fleet.load(order, { ports: [port], requests });
    await load();
    let done = 0;
    const { bytes, kept } = await allocated(async () => {
      for (let turn = 0; turn < 6 && done < COUNTED; turn += 1) done += (await load()).units;
    });
    return { bytes: bytes / done, kept: kept / done };
  };
  return allocationRows(await perRequest('stack'), await perRequest('fastify'));
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

type Name = 'node' | 'fastify' | 'stack' | 'peer' | 'service' | 'second' | 'quiet' | 'quietStack';
type Servers = Readonly<Record<Name, Server>>;

/** The text of a request, with its caller's token. */
function textOf(
  token: string | undefined,
  [method, path]: readonly [method: string, path: string],
  body?: object,
  more: readonly string[] = [],
): string {
  const head = ['host: localhost', `x-api-key: ${DEMO.apiKey}`, `authorization: Bearer ${token}`];
  const text = body ? JSON.stringify(body) : '';
  const type = body ? ['content-type: application/json', `content-length: ${text.length}`] : [];
  return [`${method} ${path} HTTP/1.1`, ...head, ...more, ...type, '', text].join('\r\n');
}

function variant(
  name: string,
  server: Server | readonly Server[],
  make: () => string,
  connections = CONNECTIONS,
): HttpVariant {
  const requests = Array.from({ length: REQUESTS }, make);
  return { name, servers: [server].flat(), connections, requests };
}

/** Compared variants are measured in turns. */
function groups(servers: Servers, first: number): ReadonlyMap<string, () => HttpVariant[]> {
  const { fastify, stack, peer, service } = servers;
  const get = (path: string) => textOf(service.token, ['GET', path]);
  const post = (path: string, body: object) => textOf(service.token, ['POST', path], body);
  const any = () => first + Math.floor(Math.random() * ACCOUNTS);
  const reads = (connections: number): HttpVariant[] => [
    variant(`bare-read-${connections}`, fastify, () => get(`/balance/${any()}`), connections),
    variant(`plain-read-${connections}`, stack, () => get(`/api/plain/${any()}`), connections),
    variant(`read-${connections}`, stack, () => get(`/api/coalesced/${any()}`), connections),
  ];
  const peerRead = () => variant('peer-read', peer, () => get(`/balance/${any()}`));
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
  return new Map([
    ['profiles', () => profiles(servers, get)],
    ['reads', () => [...reads(CONNECTIONS), peerRead()]],
    ['lone-reads', () => reads(1)],
    ['wallets', () => walletLists(servers, get)],
    ['transfers', () => payments('', any)],
    ['hot-transfers', () => payments('-hot', () => first)],
    ['wallet-transfers', () => walletTransfers(servers)],
    ['top-ups', () => topUps(servers)],
    ['emit', () => emitting(servers)],
  ]);
}

type Get = (path: string) => string;

const profiles = ({ node, fastify, stack, peer }: Servers, get: Get): HttpVariant[] => [
  variant('node', node, () => get('/profile/17')),
  variant('fastify', fastify, () => get('/profile/17')),
  variant('stack', stack, () => get('/api/profile/17')),
  variant('peer', peer, () => get('/profile/17')),
];

const walletLists = ({ service, peer }: Servers, get: Get): HttpVariant[] => [
  variant('wallets', service, () => get(`/api/wallets/fiat/${service.user_id}`)),
  variant('peer-wallets', peer, () => get(`/wallets/${service.user_id}`)),
];

/** In turn, so that simultaneous requests have different callers. */
function everybody({ people = [] }: Server): () => BenchPerson {
  let next = 0;
  return () => {
    const person = people[next++ % people.length];
    if (!person) throw new Error('Nobody was made');
    return person;
  };
}

/** Between wallets of people, each of which gets an event. */
function walletTransfers({ stack, quietStack, service }: Servers): HttpVariant[] {
  const pay = transfersOf(service);
  return [variant('told-transfer', stack, pay), variant('quiet-transfer', quietStack, pay)];
}

function transfersOf(service: Server): () => string {
  const [payers, payees] = [everybody(service), everybody(service)];
  payees();
  return () => {
    const [payer, payee] = [payers(), payees()];
    const body = { from: payer.rupiah, to: payee.rupiah, currency: 'IDR' };
    return textOf(payer.token, ['POST', '/api/transfer'], body);
  };
}

const CARD = { card_number: '4111111111111111', expiry_date: '1239', amount: '25.00' };

/** Each by another person: a wallet is locked until the commit of its payment, and has one payment at a time. */
function topUpsOf(service: Server): (more?: readonly string[], query?: string) => string {
  const charge = { ...CARD, currency_code: 'USD' };
  const next = everybody(service);
  return (more = [], query = '') => {
    const { token } = next();
    return textOf(token, ['POST', `/api/card-checkout/cardcc${query}`], charge, more);
  };
}

function topUps({ service, second, quiet, peer }: Servers): HttpVariant[] {
  const charge = { ...CARD, currency_code: 'USD' };
  const by = topUpsOf(service);
  return [
    variant('top-up', service, () => by()),
    variant('second-top-up', second, () => by()),
    variant('peer-top-up', peer, () => textOf(service.token, ['POST', '/top-up'], charge)),
    variant('quiet-top-up', quiet, () => by()),
    variant('keyed-top-up', service, () => by([`idempotency-key: ${FRESH_KEY}`])),
    variant('dry-top-up', service, () => by([], '?dry_run=true')),
    // One at a time: many at once share transactions, while a dry run has one that it rolls back.
    variant('top-up-1', service, () => by(), 1),
    variant('dry-top-up-1', service, () => by([], '?dry_run=true'), 1),
    // As many for each process as for the single one.
    variant('shared-top-up', [service, second], () => by(), 2 * CONNECTIONS),
  ];
}

/** The cost of events for the emitting request, without their later move to the log. */
function emitting({ service, quiet, stack, quietStack }: Servers): HttpVariant[] {
  const [by, pay] = [topUpsOf(service), transfersOf(service)];
  return [
    variant('emitting-top-up', service, () => by()),
    variant('silent-top-up', quiet, () => by()),
    variant('emitting-transfer', stack, pay),
    variant('silent-transfer', quietStack, pay),
  ];
}
