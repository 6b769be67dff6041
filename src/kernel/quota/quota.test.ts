import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { openDatabase, run } from '#kernel/db/db.ts';
import { AppError } from '#kernel/error.ts';
import { createLog } from '#kernel/log.ts';
import { transact } from '#kernel/transact.ts';
import { testDatabase } from '#test/database.ts';
import type { Requester } from '../access/requester.ts';
import { createQuotas } from './quota.ts';

const DAY_MS = 24 * 3600_000;
const MOST = 10;
const database = await testDatabase();
const { db, close } = openDatabase(database.url);
const clock = createClock();
const log = createLog('silent');
const quotasIn = (isMock: boolean) => createQuotas({ clock, log, config: { MOCK_MODE: isMock } });
/** A rule of nothing but a day. */
const ofDay = (rule: string, day = MOST) => ({ name: rule, limits: [], day });
afterAll(async () => {
  await close();
  await database.close();
});

let serial = 0;
const another = () => {
  serial += 1;
  return serial;
};

async function clientOf(client_status: string): Promise<number> {
  const n = another();
  const [row] = await run<{ client_id: number }>(
    db,
    `insert into clients
       (client_code, email, client_alias, client_type, client_status, country_code, phone)
     values ($1, $2, 'A', 'BUSINESS', $3, 'US', '+1') returning client_id`,
    [`CL-200001-${String(n).padStart(4, '0')}`, `${n}@example.test`, client_status],
  );
  return row?.client_id ?? 0;
}
const of = (client_id: number | null): Requester => ({
  ip: `10.0.0.${another()}`,
  client_id,
  user_id: null,
  key_id: another(),
});
const keyless = (ip: string): Requester => ({ ip });

/** How many requests come through until one is refused, and its refusal. */
async function spendAll(make: () => Requester, name: string, isMock = false) {
  const quotas = quotasIn(isMock);
  for (let n = 0; n <= MOST; n += 1) {
    const refused = await transact(db, (tx) => quotas.spend(tx, ofDay(name), make())).then(
      () => undefined,
      asRefusal,
    );
    if (refused) return { n, hint: refused.hint, code: refused.code };
  }
  return { n: MOST + 1, hint: undefined, code: undefined };
}
const asRefusal = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  throw error;
};

let name = '';
/** Only clients that a test makes ACTIVE are so, and its day does not end within it. */
beforeEach(async () => {
  name = `gifts ${another()}`;
  await run(db, `update clients set client_status = 'PENDING' where client_id <> 1`, []);
  clock.advance(DAY_MS - (clock.now().getTime() % DAY_MS));
});

describe.each([false, true])('in mock mode: %s, a day of the platform', (isMock) => {
  test('belongs whole to the only client that is ACTIVE', async () => {
    const alone = of(await clientOf('ACTIVE'));
    expect(await spendAll(() => alone, name, isMock)).toEqual({
      n: MOST,
      hint: undefined,
      code: 'RATE_LIMITED',
    });
  });

  test('gives one client half once there is another, whatever keys and networks it has', async () => {
    const [one, other] = [await clientOf('ACTIVE'), await clientOf('ACTIVE')];
    const first = await spendAll(() => of(one), name, isMock);
    expect(first).toMatchObject({ n: MOST / 2, code: 'RATE_LIMITED' });
    expect(first.hint).toBe(
      `Your client has used up its part of what there is of ${name} a day, 5 of 10: wait for the seconds in Retry-After.`,
    );
    expect((await spendAll(() => of(other), name, isMock)).n).toBe(MOST / 2);
  });

  test('leaves the rest to a client that becomes ACTIVE in the course of it', async () => {
    const one = await clientOf('ACTIVE');
    const [first, quotas] = [of(one), quotasIn(isMock)];
    for (let n = 0; n < 7; n += 1) await transact(db, (tx) => quotas.spend(tx, ofDay(name), first));
    const other = await clientOf('ACTIVE');
    expect((await spendAll(() => of(one), name, isMock)).n).toBe(0);
    expect((await spendAll(() => of(other), name, isMock)).n).toBe(3);
  });

  test('begins again at midnight, for each client', async () => {
    const [one] = [await clientOf('ACTIVE'), await clientOf('ACTIVE')];
    await spendAll(() => of(one), name, isMock);
    clock.advance(DAY_MS);
    expect((await spendAll(() => of(one), name, isMock)).n).toBe(MOST / 2);
  });
});

test('the operator’s own client has half of a day, and a single tenant the whole', async () => {
  const tenant = of(await clientOf('ACTIVE'));
  expect((await spendAll(() => of(1), name, true)).n).toBe(MOST / 2);
  expect((await spendAll(() => tenant, name, true)).n).toBe(MOST / 2);
  expect((await spendAll(() => tenant, `${name} alone`, true)).n).toBe(MOST);
});

test('all clients without approval share half of a day once one client is approved', async () => {
  const strangers = await Promise.all(Array.from({ length: 4 }, () => clientOf('PENDING')));
  const make = () => of(strangers[another() % 4] ?? null);
  expect((await spendAll(make, name)).n).toBe(MOST);
  await clientOf('ACTIVE');
  const { n, hint } = await spendAll(make, `${name} again`);
  expect([n, hint]).toEqual([
    MOST / 2,
    expect.stringMatching(/^Callers without an approved client/),
  ]);
});

test('one IPv6 customer without a key has half of a day, whichever networks it uses', async () => {
  await clientOf('ACTIVE');
  const inSite = () => keyless(`2001:db8:7:${another().toString(16)}::1`);
  expect((await spendAll(inSite, name)).n).toBe(MOST / 2);
  expect((await spendAll(() => keyless('198.51.100.7'), name)).n).toBe(MOST / 2);
});

test('requests of one client at once pass its part only by those in flight', async () => {
  const [one, other] = [await clientOf('ACTIVE'), await clientOf('ACTIVE')];
  const quotas = quotasIn(false);
  const spend = (client_id: number) =>
    transact(db, (tx) => quotas.spend(tx, ofDay(name, 400), of(client_id))).then(
      () => true,
      (error) => !(error instanceof AppError),
    );
  const through = await Promise.all(Array.from({ length: 250 }, () => spend(one)));
  const n = through.filter(Boolean).length;
  expect(n).toBeGreaterThanOrEqual(200);
  // Each connection of the pool may have been at work with the last one.
  expect(n).toBeLessThan(220);
  expect(await spend(one)).toBe(false);
  expect(await spend(other)).toBe(true);
});
