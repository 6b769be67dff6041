import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { Type } from 'typebox';
import { insertEndpoint } from '#features/messaging/webhooks/endpoint-store.ts';
import { sealing } from '#features/messaging/webhooks/presenters.ts';
import { newSecret } from '#features/messaging/webhooks/signature.ts';
import { openDatabase, run } from '#kernel/db/db.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvent } from '#kernel/events/event-type.ts';
import { createVault } from '#kernel/secrets/vault.ts';
import { transact } from '#kernel/transact.ts';
import { threadsNs } from '../meter.ts';
import type { Place } from '../place.ts';
import { atLeast, atMost, type BenchRow } from '../row.ts';
import { type Arrived, preciseMs, type Receiving, receiving } from './receiving.ts';

const ENDPOINTS = 50;
const CONCURRENCY = 8;
const EVENTS = 10_000;
const OBJECTS = 20;
const PER_SECOND = 200;
const PACED = 600;
const ROUNDS = 3;
const KILLS = 2;
const TEXT = 'x'.repeat(800);
const SECRETS = {
  MASTER_KEY: `1:${randomBytes(32).toString('base64')}`,
  JWT_SECRET: randomBytes(32).toString('hex'),
  EVM_MNEMONIC: 'test test test test test test test test test test test junk',
};

const measured = defineEvent('bench.measured', {
  schema: Type.Object({ nth: Type.Integer(), at: Type.Number(), text: Type.String() }),
  summary: 'Something was measured',
  example: { nth: 1, at: 0, text: '' },
  since: '2026-11',
});

interface Bench extends Place {
  readonly db: Kysely<DB>;
  readonly receiver: Receiving;
}

/** From a commit to a receiver on this machine, by one worker of its own, against merely signing and sending. */
export async function runWebhookBench(place: Place): Promise<BenchRow[]> {
  const { db, close } = openDatabase(place.url, { max: 10 });
  const receiver = await receiving();
  const bench = { ...place, db, receiver };
  try {
    for (let client = 1; client <= ENDPOINTS; client += 1) await addEndpoint(bench, client);
    const worker = await startWorker(bench);
    const rows = [...(await throughput(bench, worker)), ...(await latency(bench))];
    await end(worker);
    return [...rows, ...(await killed(bench))];
  } finally {
    receiver.close();
    await close();
  }
}

async function addEndpoint({ db, receiver }: Bench, client_id: number): Promise<void> {
  await run(
    db,
    `insert into clients (client_id, client_code, email, client_alias, client_type, country_code, phone)
     values ($1, $2, $3, 'Bench', 'BUSINESS', 'US', '+15550100')`,
    [client_id, `CL-200001-${String(client_id).padStart(4, '0')}`, `c${client_id}@example.test`],
  );
  const endpoint_id = randomUUID();
  const { secrets } = sealing(createVault(SECRETS.MASTER_KEY), endpoint_id);
  await insertEndpoint(db, {
    endpoint_id,
    client_id,
    place: 0,
    url: receiver.url(`/${client_id}`),
    description: '',
    types: ['*'],
    payload: 'fat',
    ordering: 'object',
    concurrency: CONCURRENCY,
    rate_limit: null,
    headers_sealed: null,
    schema_versions: {},
    made_by: null,
    secrets_sealed: secrets.seal([{ secret: newSecret(), not_after: null }]),
  });
}

async function startWorker({ url, dir }: Bench): Promise<ChildProcess> {
  const orders = {
    databaseUrl: url,
    secrets: SECRETS,
    aheadMs: 0,
    settings: {
      NODE_ENV: 'test',
      ROLE: 'worker',
      SANDBOX_PORT: '0',
      SANDBOX_SMTP_PORT: '0',
      RATE_LIMITS: 'off',
      DATA_DIR: dir,
    },
  };
  const path = join(import.meta.dirname, '../../test/app-child.ts');
  const child = spawn(process.execPath, [path, JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** One event of an object of a client. */
const emitEvent = (bench: Bench, clients: readonly number[], nth: number) =>
  transact(bench.db, async (tx) => {
    for (const client_id of clients)
      emit(tx, measured, {
        client_id,
        id: `${client_id}-${nth % OBJECTS}`,
        data: { nth, at: preciseMs(), text: TEXT },
      });
  });

const all = Array.from({ length: ENDPOINTS }, (_, n) => n + 1);

async function throughput(bench: Bench, worker: ChildProcess): Promise<BenchRow[]> {
  const { receiver } = bench;
  const cpuMs = () => threadsNs(String(worker.pid)) / 1e6;
  const arrived = (count: number) => receiver.until(() => receiver.arrivals.length >= count);
  // Endpoints are claimed and connections are open.
  await emitEvent(bench, all, 0);
  await arrived(ENDPOINTS);
  const [cpu, start] = [cpuMs(), performance.now()];
  for (let nth = 1; nth <= EVENTS / ENDPOINTS; nth += 1) await emitEvent(bench, all, nth);
  await arrived(ENDPOINTS + EVENTS);
  const seconds = (performance.now() - start) / 1000;
  const cpuEach = (cpuMs() - cpu) / EVENTS;
  const body = JSON.stringify({ id: '', object: { id: '' }, data: { nth: 0, at: 0, text: TEXT } });
  const path = join(import.meta.dirname, 'bare.ts');
  const output = outputOf(process.execPath, [path, receiver.url('/bare'), body, `${EVENTS}`]);
  const bare = JSON.parse(await output) as { seconds: number; cpuMs: number };
  const perSecond = Math.round(EVENTS / seconds);
  return [
    atLeast({
      bar: 'W1',
      what: `Events of 1.2 kB delivered to ${ENDPOINTS} endpoints and written down, against merely signed and sent`,
      measured: bare.seconds / seconds,
      limit: 0.17,
      note: `${perSecond}/s`,
    }),
    atMost({
      bar: 'W2',
      what: 'CPU of a delivery, against merely signing and sending',
      measured: (cpuEach * EVENTS) / bare.cpuMs,
      limit: 3.8,
      note: `${cpuEach.toFixed(2)} ms`,
    }),
  ];
}

/** The receiver is this process, which must keep receiving meanwhile. */
async function outputOf(file: string, args: readonly string[]): Promise<string> {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (part: Buffer) => {
    said += part;
  });
  await once(child, 'exit');
  return said;
}

async function latency(bench: Bench): Promise<BenchRow[]> {
  const healthy: number[][] = [];
  const beside: number[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bench.receiver.hanging.clear();
    healthy.push(await paced(bench));
    bench.receiver.hanging.add(`/${ENDPOINTS}`);
    beside.push(await paced(bench));
  }
  const [p50, p99] = [median(healthy.map(quantile(0.5))), median(healthy.map(quantile(0.99)))];
  return [
    atMost({
      bar: 'W3',
      what: `From commit to received at ${PER_SECOND}/s, half of them`,
      measured: p50,
      unit: 'ms',
      limit: 60,
    }),
    atMost({
      bar: 'W4',
      what: `From commit to received at ${PER_SECOND}/s, 99 of 100`,
      measured: p99,
      unit: 'ms',
      limit: 300,
    }),
    atMost({
      bar: 'W5',
      what: 'The same beside an endpoint that hangs',
      measured: median(beside.map(quantile(0.99))) / p99,
      limit: 1.2,
    }),
  ];
}

/** The latency to healthy endpoints, at an even rate. */
async function paced(bench: Bench): Promise<number[]> {
  const { receiver } = bench;
  const from = receiver.arrivals.length;
  const well = all.filter((client) => !receiver.hanging.has(`/${client}`));
  const start = performance.now();
  for (let nth = 0; nth < PACED; nth += 1) {
    const due = start + (nth * 1000) / PER_SECOND;
    await pause(Math.max(0, due - performance.now()));
    // Some go to an address without an answer.
    const hangs = nth % ENDPOINTS === 0 && receiver.hanging.size > 0;
    await emitEvent(bench, hangs ? [ENDPOINTS] : [well[nth % well.length] ?? 1], nth);
  }
  const sent = receiver.hanging.size > 0 ? PACED - Math.ceil(PACED / ENDPOINTS) : PACED;
  await receiver.until(() => receiver.arrivals.length >= from + sent);
  return receiver.arrivals.slice(from).map(({ ms }) => ms);
}

const quantile = (share: number) => (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
const median = quantile(0.5);

async function killed(bench: Bench): Promise<BenchRow[]> {
  const { receiver, db } = bench;
  const client = ENDPOINTS + 1;
  await run(db, `update webhooks.endpoints set status = 'paused', probe_at = null`, []);
  await addEndpoint(bench, client);
  receiver.arrivals.splice(0);
  let worker = await startWorker(bench);
  for (let nth = 1; nth <= EVENTS / 100; nth += 1)
    await emitEvent(
      bench,
      Array.from({ length: 100 }, () => client),
      nth,
    );
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await receiver.until(() => receiver.arrivals.length >= (EVENTS * kill) / (KILLS + 1));
    await end(worker);
    worker = await startWorker(bench);
  }
  const ids = new Set<string>();
  let counted = 0;
  await receiver.until(() => {
    for (; counted < receiver.arrivals.length; counted += 1)
      ids.add(receiver.arrivals[counted]?.id ?? '');
    return ids.size === EVENTS;
  });
  await end(worker);
  return [
    atMost({
      bar: 'W6',
      what: `Repeated of ${EVENTS} events, the worker killed ${KILLS} times; none was lost`,
      measured: receiver.arrivals.length - EVENTS,
      unit: 'events',
      limit: CONCURRENCY * KILLS,
    }),
    atMost({
      bar: 'W7',
      what: 'Of these, out of the order of their object',
      measured: disordered(receiver.arrivals),
      unit: 'events',
      limit: 0,
    }),
  ];
}

/** First deliveries that come after a later event of the same object. */
function disordered(arrivals: readonly Arrived[]): number {
  const seen = new Set<string>();
  const last = new Map<string, number>();
  let wrong = 0;
  for (const { id, object, nth } of arrivals) {
    if (seen.has(id)) continue;
    seen.add(id);
    if (nth < (last.get(object) ?? 0)) wrong += 1;
    last.set(object, nth);
  }
  return wrong;
}
