// Long: hundreds of callers are killed in the middle of their payments.

import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { houseBalance, networkBalance } from '../cards.ts';
import { type Child, startChild } from '../child.ts';
import { harness } from '../harness.ts';
import { losingProxy } from '../losing-proxy.ts';
import { runFolder } from '../run-folder.ts';
import { countsOf, DEATHS, type Death, type Payer, payer, planRun, play } from './paying-runs.ts';

/** For each of the twenty places; `SEEDS=25` are five hundred callers. */
const SEEDS = Number(process.env['SEEDS'] ?? 4);
const AT_ONCE = 3;

const secrets = {
  MASTER_KEY: `1:${randomBytes(32).toString('base64')}`,
  JWT_SECRET: randomBytes(32).toString('hex'),
  EVM_MNEMONIC: 'test test test test test test test test test test test junk',
};
const h = await harness({
  mock: false,
  masterKey: secrets.MASTER_KEY,
  jwtSecret: secrets.JWT_SECRET,
});
const folder = await runFolder();
const { client_id } = await h.client();

/** The service that is killed: another process on the same database, the same bank and card network. */
const started = (): Promise<Child> =>
  startChild('app-child.ts', {
    databaseUrl: h.kernel.pool.options.connectionString ?? '',
    secrets,
    aheadMs: h.clock.offsetMs,
    settings: {
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: '0',
      ROLE: 'api',
      SANDBOX_PORT: new URL(h.app.sandboxUrl()).port,
      SANDBOX_SMTP_PORT: '0',
      RATE_LIMITS: 'off',
      MOCK_MODE: 'false',
      DATA_DIR: h.dataDir,
    },
  });
let service = await started();
let restarting: Promise<void> | undefined;
let blows = 0;
/** Kills it in the middle of a request, and starts it again. */
function strike(): void {
  if (restarting) return;
  blows += 1;
  const old = service;
  restarting = old
    .end('SIGKILL')
    .then(started)
    .then((next) => {
      service = next;
      restarting = undefined;
    });
}
const proxy = await losingProxy(() => service.said);
afterAll(async () => {
  proxy.close();
  await restarting;
  await service.end('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});
const stage = { h, proxy, folder };

/** What each operation takes, as one call of it does. */
async function prices(): Promise<ReadonlyMap<string, bigint>> {
  const who = await payer(h, client_id);
  const found = new Map<string, bigint>();
  for (const kind of ['topUp', 'send', 'withdraw', 'hold', 'tooMuch'] as const) {
    const before = await who.available();
    const steps = [who.step(kind, `price-${kind}`)];
    await play(stage, who, { ...planRun('recover', 0, who), name: kind, steps, deaths: [] });
    found.set(kind, (await who.available()) - before);
  }
  return found;
}
const price = await prices();

/** Runs them, a few at a time. */
async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const worker = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const sound = async () => {
  expect((await verifyLedger(h.db)).broken).toEqual([]);
  expect(await networkBalance(h, 'USD')).toBe(-(await houseBalance(h, 'card-settlement', 'USD')));
};

const HOUR = 3_600_000;
test('a caller that dies at any place, under lost answers, pays each order once', {
  timeout: HOUR,
}, async () => {
  const deaths = new Map<Death, number>();
  const runs = DEATHS.flatMap((death) =>
    Array.from({ length: SEEDS }, (_, seed) => ({ death, seed })),
  );
  let [booked, withdrawn] = [0n, 0];
  await inTurns(runs, async ({ death, seed }) => {
    const who = await payer(h, client_id);
    const before = await who.available();
    const plan = planRun(death, seed, who);
    const isStruck = seed === 0 && DEATHS.indexOf(death) % 3 === 0;
    const { book, died } = await play({ ...stage, ...(isStruck && { strike }) }, who, plan);
    for (const one of died) deaths.set(one, (deaths.get(one) ?? 0) + 1);
    const expected = plan.kinds.map((kind) =>
      kind === 'tooMuch' ? 'INSUFFICIENT_BALANCE' : 'done',
    );
    expect(Object.values(book), plan.name).toEqual(expected);
    const counts = await countsOf(h, plan.steps);
    expect(counts, plan.name).toEqual(plan.kinds.map((kind) => (kind === 'tooMuch' ? 0 : 1)));
    const owed = plan.kinds.reduce((sum, kind) => sum + (price.get(kind) ?? 0n), 0n);
    expect((await who.available()) - before, plan.name).toBe(owed);
    const made = (which: string) => plan.kinds.filter((kind) => kind === which).length;
    booked += BigInt(made('topUp')) * 10_00n;
    withdrawn += made('withdraw');
  });
  expect([...deaths.keys()].sort()).toEqual([...DEATHS].sort());
  expect(blows).toBeGreaterThan(0);
  // Those that were made for their prices are one more.
  expect(await networkBalance(h, 'USD')).toBe(booked + 10_00n);
  await h.drain();
  await sound();
  const [orders] = await run<{ count: number }>(
    h.db,
    `select count(*)::int as count from sandbox.records where provider = 'bank-host' and kind = 'order'`,
    [],
  );
  expect(orders).toEqual({ count: withdrawn + 1 });
});

test('the same callers with plain requests pay some orders twice', async () => {
  let doubled = 0;
  const pay = async (who: Payer, seed: number) => {
    const plan = planRun('half-answered', 1000 + seed, who);
    await play(stage, who, plan, true);
    doubled += (await countsOf(h, plan.steps)).filter((count) => count > 1).length;
  };
  await inTurns([...Array(10).keys()], async (seed) => pay(await payer(h, client_id), seed));
  expect(doubled).toBeGreaterThan(0);
});
