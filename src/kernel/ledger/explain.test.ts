import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '#test/database.ts';
import { type OpenDatabase, openDatabase, run } from '../db/db.ts';
import { houseAccount, openAccount } from './accounts.ts';
import { type ExplainedBalance, explainAccount } from './explain.ts';
import { type HoldOwner, orphanHolds } from './holds.ts';
import { keepKindSums, SUMMED_TOGETHER } from './kind-sums.ts';
import { type Operation, transfer } from './ledger.ts';
import { postAllWithin } from './post.ts';
import { verifyLedger } from './verify.ts';
import { verificationProgress, verifyOnward } from './verify-onward.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let open: OpenDatabase;
let house = 0;

beforeAll(async () => {
  database = await testDatabase();
  open = openDatabase(database.url);
  house = await openAccount(open.db, houseAccount('elsewhere', 'IDR'));
});

afterAll(async () => {
  await open.close();
  await database.close();
});

/** Objects that hold money: those of a run, by the hold's name. */
const objects = new Map<string, { account_id: number; is_open: boolean }>();
const owner: HoldOwner = {
  kind: 'set-aside',
  freedBy: 'The test',
  find: async (_, holds) =>
    holds.flatMap((hold) => {
      const one = objects.get(hold);
      const rest = { reference: `of ${hold}`, until: null, next_attempt_at: null };
      return one ? [{ hold, ...one, ...rest }] : [];
    }),
};

/** What is done next; `which` is one of the holds, by its number. */
const step = fc.oneof(
  fc.record({ is: fc.constant('come' as const), units: fc.bigInt(1n, 50n) }),
  fc.record({ is: fc.constant('go' as const), units: fc.bigInt(1n, 20n) }),
  fc.record({ is: fc.constant('hold' as const), units: fc.bigInt(1n, 20n), which: fc.nat(3) }),
  fc.record({ is: fc.constant('capture' as const), units: fc.bigInt(1n, 20n), which: fc.nat(3) }),
  fc.record({ is: fc.constant('release' as const), units: fc.bigInt(1n, 20n), which: fc.nat(3) }),
);
type Step = { is: 'come' | 'go' | 'hold' | 'capture' | 'release'; units: bigint; which?: number };
/** Some are one posting, so that there is no moment between them. */
const history = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 8,
});

interface Model {
  readonly account_id: number;
  posted: bigint;
  readonly holds: Map<string, bigint>;
  readonly kinds: Map<string, { count: number; amount: bigint }>;
}

const heldOf = ({ holds }: Pick<Model, 'holds'>) =>
  [...holds.values()].reduce((sum, units) => sum + units, 0n);

let serial = 0;

/** The posting of a step, which the model takes over; nothing where the account has not enough for it. */
function posting(model: Model, { is, units, which = 0 }: Step): Operation | undefined {
  const { account_id, holds, kinds } = model;
  const hold = `${account_id}-${which}`;
  const held = holds.get(hold) ?? 0n;
  const free = model.posted - heldOf(model);
  serial += 1;
  const key = `explain:${serial}`;
  const ends = is === 'capture' || is === 'release';
  if (ends ? held < units : is !== 'come' && free < units) return undefined;
  if (is === 'hold' || ends) {
    const left = is === 'hold' ? held + units : held - units;
    if (left === 0n) holds.delete(hold);
    else holds.set(hold, left);
    objects.set(hold, { account_id, is_open: left > 0n });
  }
  const moved = is === 'come' ? units : is === 'hold' || is === 'release' ? 0n : -units;
  model.posted += moved;
  const kind = is === 'hold' ? 'set-aside' : is;
  if (moved !== 0n) {
    const sum = kinds.get(kind) ?? { count: 0, amount: 0n };
    kinds.set(kind, { count: sum.count + 1, amount: sum.amount + moved });
  }
  const change = is === 'hold' ? units : ends ? -units : 0n;
  const legs = [
    { account: account_id, amount: moved, ...(change !== 0n && { held: change }) },
    ...(moved === 0n ? [] : [{ account: house, amount: -moved }]),
  ];
  return { key, kind, legs, ...(change !== 0n && { meta: { hold } }) };
}

/** What the model says of this moment. */
const expected = (model: Model) => ({
  posted: model.posted,
  held: heldOf(model),
  available: model.posted - heldOf(model),
  opening: 0n,
  kinds: [...model.kinds].sort().map(([kind, sum]) => ({ kind, ...sum })),
  holds: [...model.holds].map(([hold, amount]) => ({ reference: `of ${hold}`, amount })),
});

const ofModel = ({ posted, held, available, opening, kinds, holds }: ExplainedBalance) => ({
  posted,
  held,
  available,
  opening,
  kinds,
  holds: holds.map(({ reference, amount }) => ({ reference, amount })),
});

const sorted = (one: ReturnType<typeof ofModel>) => ({
  ...one,
  holds: one.holds.sort((a, b) => (a.reference < b.reference ? -1 : 1)),
});

async function explain(account_id: number, at?: string): Promise<ExplainedBalance> {
  const found = await explainAccount(open.db, [owner], account_id, at);
  if (!found) throw new Error(`${at} is in the future`);
  return found;
}

test('at any moment of any history the sums are right, and stay the same', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (postings) => {
      serial += 1;
      const name = { owner: `user:${serial}`, purpose: 'wallet', asset: 'IDR' } as const;
      const account_id = await openAccount(open.db, name);
      const model: Model = { account_id, posted: 0n, holds: new Map(), kinds: new Map() };
      const seen = [await explain(account_id)];
      for (const steps of postings) {
        const operations = steps.flatMap((one) => posting(model, one) ?? []);
        if (operations.length > 0)
          await open.db.transaction().execute((tx) => postAllWithin(tx, operations));
        const now = await explain(account_id);
        expect(sorted(ofModel(now))).toEqual(sorted(expected(model)));
        seen.push(now);
      }
      for (const before of seen) {
        expect(before.checks.filter(({ ok }) => !ok)).toEqual([]);
        expect(await explain(account_id, before.at)).toEqual(before);
      }
    }),
    { numRuns: 60 },
  );
  expect(await verifyLedger(open.db, [owner])).toMatchObject({ broken: [] });
});

test('a hold without an open owner, or with two, is found by the verification', async () => {
  const account_id = await funded('orphan', 10n);
  const model: Model = { account_id, posted: 10n, holds: new Map(), kinds: new Map() };
  const operation = posting(model, { is: 'hold', units: 4n, which: 1 });
  if (!operation) throw new Error('Nothing to post');
  await open.db.transaction().execute((tx) => postAllWithin(tx, [operation]));
  expect(await orphanHolds(open.db, [owner])).toEqual([]);
  objects.set(`${account_id}-1`, { account_id, is_open: false });
  const found = [`account ${account_id}: ${account_id}-1 has 0 open owners`];
  expect(await orphanHolds(open.db, [owner])).toEqual(found);
  expect((await explain(account_id)).checks.filter(({ ok }) => !ok)).toHaveLength(1);
  expect((await verifyOnward(open.db, new Date(), [owner])).broken).toContainEqual({
    rule: 'every hold has one open owner',
    breaks: found,
  });
  objects.set(`${account_id}-1`, { account_id, is_open: true });
  const second = { ...owner, find: async () => owner.find(open.db, [`${account_id}-1`]) };
  expect(await orphanHolds(open.db, [owner, second])).toEqual([
    `account ${account_id}: ${account_id}-1 has 2 open owners`,
  ]);
  // Another account's object does not hold it.
  objects.set(`${account_id}-1`, { account_id: house, is_open: true });
  expect(await orphanHolds(open.db, [owner])).toEqual(found);
  objects.set(`${account_id}-1`, { account_id, is_open: true });
});

test('a balance of many entries is read by their kept sums', async () => {
  const account_id = await funded('busy', 5000n);
  for (let n = 0; n < 5; n += 1) {
    const operations = Array.from({ length: 500 }, (_, i) => ({
      key: `busy:${n}:${i}`,
      kind: i % 5 === 0 ? 'odd' : 'even',
      legs: transfer(account_id, house, 1n),
    }));
    await open.db.transaction().execute((tx) => postAllWithin(tx, operations));
  }
  const before = await explain(account_id);
  await verified();
  await keepKindSums(open.db);
  const [kept] = await run<{ summed: number; entries: number }>(
    open.db,
    `select v.summed, sum(s.entries)::int as entries
     from ledger.verified_accounts v join ledger.kind_sums s using (account_id)
     where account_id = $1 group by 1`,
    [account_id],
  );
  expect(kept).toEqual({ summed: 2, entries: 2 * SUMMED_TOGETHER });
  expect(await explain(account_id, before.at)).toEqual(before);
  expect(before.kinds).toEqual([
    { kind: 'even', count: 2000, amount: -2000n },
    { kind: 'fund', count: 1, amount: 5000n },
    { kind: 'odd', count: 500, amount: -500n },
  ]);
  const houseSums = 'select from ledger.kind_sums where account_id = $1';
  expect(await run(open.db, houseSums, [house])).toEqual([]);
});

test('nobody but the posting function writes holds', async () => {
  const text = 'update ledger.holds set units = units + 1';
  await expect(run(open.db, text, [])).rejects.toThrow(/for ledger.post only/);
});

test('a moment that is to come is refused', async () => {
  const account_id = await funded('future', 1n);
  expect(await explainAccount(open.db, [owner], account_id, '2999-01-01T00:00:00.000Z')).toBe(
    undefined,
  );
});

/** Until all is verified: older transactions of all sessions on the server are waited for. */
async function verified(): Promise<void> {
  const [row] = await run<{ id: number }>(
    open.db,
    'select max(transfer_id) as id from ledger.transfers',
    [],
  );
  do await verifyOnward(open.db, new Date(), [owner]);
  while ((await verificationProgress(open.db)).upto < (row?.id ?? 0));
}

async function funded(name: string, units: bigint): Promise<number> {
  const account = { owner: `user of ${name}`, purpose: 'wallet', asset: 'IDR' } as const;
  const account_id = await openAccount(open.db, account);
  const operation = { key: `fund:${name}`, kind: 'fund', legs: transfer(house, account_id, units) };
  await open.db.transaction().execute((tx) => postAllWithin(tx, [operation]));
  return account_id;
}
