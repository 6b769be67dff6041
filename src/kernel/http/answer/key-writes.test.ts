import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { openDatabase, run } from '#kernel/db/db.ts';
import { holdLiveness } from '#kernel/db/liveness.ts';
import { transact } from '#kernel/transact.ts';
import { testDatabase } from '#test/database.ts';
import { harness } from '#test/harness.ts';
import { silentProxy } from '#test/silent-proxy.ts';
import { sent } from '#test/statements.ts';
import { type Claim, createIdempotency, type StoredAnswer } from './idempotency.ts';
import { createKeyWrites } from './key-writes.ts';

/** Claims and answers of many requests are one statement each; of what each is told nothing may change. */
const h = await harness();
const databaseUrl = h.kernel.pool.options.connectionString ?? '';
const proxy = await silentProxy(databaseUrl);
// The text of a statement must be on the wire, to be met there.
const behind = openDatabase(proxy.url, { prepared: false });
const here = h.kernel.idempotency;
const presence = await holdLiveness(databaseUrl, h.kernel.log);
const other = createIdempotency({ ...h.kernel, db: behind.db, presence });
afterAll(async () => {
  other.close();
  await presence.close();
  await behind.close();
  proxy.close();
});

const requests = (count: number) =>
  Array.from({ length: count }, () => ({ key: randomUUID(), owner: 'me', body: 'b', raw: 'b' }));
const ANSWER: StoredAnswer = { status: 200, type: 'text/plain', payload: 'x' };

function mustBeClaim(found: Claim | StoredAnswer | undefined): Claim {
  if (found === undefined || 'payload' in found) throw new Error('It is no claim');
  return found;
}
const claimsOf = (settled: readonly PromiseSettledResult<Claim | StoredAnswer>[]) =>
  settled.map((one) => (one.status === 'fulfilled' ? mustBeClaim(one.value) : undefined));
const codesOf = (settled: readonly PromiseSettledResult<unknown>[]) =>
  settled.flatMap((one) => (one.status === 'rejected' ? one.reason.code : []));
const statements = (text: string) => sent.filter((one) => one.includes(text)).length;

test('of keys that two processes claim at the same moment each gets its own, and no key has two', async () => {
  const asked = requests(60);
  const [mine, theirs] = await Promise.all([
    Promise.allSettled(asked.map(here.claim)),
    Promise.allSettled(asked.toReversed().map(other.claim)),
  ]);
  const [ours, others] = [claimsOf(mine), claimsOf(theirs).toReversed()];
  for (const [i] of asked.entries())
    expect([ours[i], others[i]].filter((claim) => claim !== undefined)).toHaveLength(1);
  const codes = [...codesOf(mine), ...codesOf(theirs)];
  expect(codes).toEqual(Array.from({ length: 60 }, () => 'IDEMPOTENCY_IN_PROGRESS'));
});

test('many claims and many answers are one statement each, and each is told its own', async () => {
  const asked = requests(40);
  sent.length = 0;
  const claims = (await Promise.all(asked.map(here.claim))).map(mustBeClaim);
  expect(statements('claim_keys')).toBe(1);
  expect(new Set(claims.map(({ operation }) => operation)).size).toBe(40);
  sent.length = 0;
  await Promise.all(
    claims.map((claim, i) => here.keep(h.db, claim, { ...ANSWER, status: 200 + i })),
  );
  expect(statements('keep_answers')).toBe(1);
  const again = await Promise.all(asked.map(other.claim));
  expect(again).toEqual(asked.map((_, i) => ({ ...ANSWER, status: 200 + i })));
});

test('claims and answers of one moment are one statement, and each is told its own', async () => {
  const [earlier, later] = [requests(20), requests(20)];
  const claims = (await Promise.all(earlier.map(here.claim))).map(mustBeClaim);
  sent.length = 0;
  const [begun] = await Promise.all([
    Promise.all(later.map(here.claim)),
    Promise.all(claims.map((claim) => here.keep(h.db, claim, ANSWER))),
  ]);
  expect(sent.filter((one) => /claim_keys|keep_answers/.test(one))).toHaveLength(1);
  expect(new Set(begun.map((found) => mustBeClaim(found).operation)).size).toBe(20);
  expect(await Promise.all(earlier.map(other.claim))).toEqual(earlier.map(() => ANSWER));
});

test('one key many times at once is one claim, and another body under it is told so', async () => {
  const [request] = requests(1);
  if (!request) throw new Error('No request');
  const all = [
    ...Array.from({ length: 20 }, () => request),
    { ...request, body: 'another', raw: 'another' },
  ];
  const settled = await Promise.allSettled(all.map(here.claim));
  expect(claimsOf(settled).filter((claim) => claim !== undefined)).toHaveLength(1);
  const codes = codesOf(settled);
  expect(codes.filter((code) => code === 'IDEMPOTENCY_IN_PROGRESS')).toHaveLength(19);
  expect(codes.at(-1)).toBe('IDEMPOTENCY_KEY_REUSED');
});

test('a key whose row a stuck transaction holds keeps nobody else from theirs', async () => {
  const [stuck, free] = requests(2);
  if (!stuck || !free) throw new Error('No requests');
  const mine = mustBeClaim(await here.claim(stuck));
  let repeated: Promise<unknown> | undefined;
  await transact(h.db, async (tx) => {
    await here.keep(tx, mine, ANSWER);
    repeated = here.claim(stuck);
    mustBeClaim(await here.claim(free));
  });
  expect(await repeated).toEqual(ANSWER);
});

test('an attempt that was taken over keeps nothing, and those whose answers came with it keep theirs', async () => {
  const asked = requests(3);
  const claims = (await Promise.all(asked.map(here.claim))).map(mustBeClaim);
  const [, lost] = claims;
  await run(h.db, 'update idempotency_keys set lease = $1 where lease = $2', [
    randomUUID(),
    lost?.lease,
  ]);
  const kept = await Promise.allSettled(claims.map((claim) => here.keep(h.db, claim, ANSWER)));
  expect(kept.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(codesOf(kept)).toEqual(['IDEMPOTENCY_IN_PROGRESS']);
});

test('an answer goes with the transaction that is undone', async () => {
  const [request] = requests(1);
  if (!request) throw new Error('No request');
  const mine = mustBeClaim(await here.claim(request));
  const undone = transact(h.db, async (tx) => {
    await here.keep(tx, mine, ANSWER);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await here.keep(h.db, mine, { ...ANSWER, payload: 'y' });
  expect(await here.claim(request)).toEqual({ ...ANSWER, payload: 'y' });
});

test('what was done and confirmed to nobody is the attempts’ own when it is asked for again', async () => {
  const asked = requests(8);
  proxy.loseAnswerTo('claim_keys');
  const claims = (await Promise.all(asked.map(other.claim))).map(mustBeClaim);
  for (const refused of await Promise.allSettled(asked.map(here.claim)))
    expect(refused).toMatchObject({ reason: { code: 'IDEMPOTENCY_IN_PROGRESS' } });
  proxy.loseAnswerTo('keep_answers');
  await Promise.all(claims.map((claim) => other.keep(behind.db, claim, ANSWER)));
  expect(await Promise.all(asked.map(here.claim))).toEqual(asked.map(() => ANSWER));
});

test('a claim and an answer whose one confirmation was lost both stand, and are told so', async () => {
  const [first, second] = requests(2);
  if (!first || !second) throw new Error('No requests');
  const mine = mustBeClaim(await other.claim(first));
  proxy.loseAnswerTo('union all');
  const [begun] = await Promise.all([other.claim(second), other.keep(behind.db, mine, ANSWER)]);
  await other.keep(behind.db, mustBeClaim(begun), { ...ANSWER, payload: 'z' });
  expect(await here.claim(first)).toEqual(ANSWER);
  expect(await here.claim(second)).toEqual({ ...ANSWER, payload: 'z' });
});

test('a batch looks at its own keys alone, whatever the table held when it was planned', async () => {
  const fresh = await testDatabase();
  const { db, close } = openDatabase(fresh.url, { max: 1 });
  const terms = { lease_until: '2100-01-01', holder: null, expires_at: '2100-01-01' };
  const writes = createKeyWrites(db, () => terms);
  const batch = async (count: number) => {
    const keys = Array.from({ length: count }, () => ({
      scope: randomBytes(32),
      fingerprint: randomBytes(32),
      wasSent: false,
      operation: randomUUID(),
      lease: randomUUID(),
    }));
    await Promise.all(keys.map(writes.claimNew));
    const answers = keys.map((key) => ({ ...key, status: 200, answer: 'x' }));
    expect(await Promise.all(answers.map((one) => writes.keep(db, one)))).not.toContain(false);
  };
  const looked = async () => {
    await run(db, 'select pg_stat_force_next_flush()', []);
    const [row] = await run<{ n: number }>(
      db,
      `select seq_tup_read + idx_tup_fetch as n from pg_stat_user_tables
       where relname = 'idempotency_keys'`,
      [],
    );
    return row?.n ?? Number.NaN;
  };
  await run(db, 'vacuum analyze idempotency_keys', []);
  for (let turn = 0; turn < 8; turn += 1) await batch(3);
  await run(
    db,
    `insert into idempotency_keys (scope, fingerprint, operation, lease, lease_until, expires_at)
     select sha256(n::text::bytea), '', gen_random_uuid(), gen_random_uuid(), now(), now()
     from generate_series(1, 5000) n`,
    [],
  );
  const before = await looked();
  await batch(20);
  expect((await looked()) - before).toBeLessThan(100);
  await close();
});
