import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { holdLiveness } from '#kernel/db/liveness.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { transact } from '#kernel/transact.ts';
import { type AppProcess, appProcess } from '#test/app-process.ts';
import { cardUser, EXPIRY, GOOD, networkBalance } from '#test/cards.ts';
import { harness, type Person } from '#test/harness.ts';
import { createIdempotency } from './idempotency.ts';

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
const databaseUrl = h.kernel.pool.options.connectionString ?? '';
// Makes the accounts of the house, which are locked below.
await cardUser(h, await h.user()).topUp(1);

/** Another process on the same database, talking to the same card network. */
const otherProcess = (): Promise<AppProcess> =>
  appProcess({
    databaseUrl,
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

const PATH = '/card-checkout/cardcc';
const charge = { card_number: GOOD, expiry_date: EXPIRY, amount: 40, currency_code: 'USD' };
const body = { ...charge, reference: 'order-40', metadata: { order: '40' } };

/** The same request to this process; answers the status and whether it was a repetition. */
async function repeat(as: Person, key: string) {
  const headers = { 'idempotency-key': key };
  const reply = await h.send(`POST ${PATH}`, { as, body, headers });
  const replayed = reply.headers.get('idempotent-replayed') === 'true';
  return { status: reply.status, body: reply.body, replayed };
}

/** A top-up of that process, begun and charged, which cannot book before `work` is done. */
async function whileCharged(
  { post }: AppProcess,
  as: Person,
  key: string,
  work: (answer: ReturnType<AppProcess['post']>) => Promise<void>,
): Promise<void> {
  const before = await networkBalance(h, 'USD');
  await transact(h.db, async (tx) => {
    await run(
      tx,
      `select from ledger.accounts
       where owner = 'house' and purpose = 'card-settlement' and asset = 'USD' for no key update`,
      [],
    );
    const answer = post(PATH, { ...as, apiKey: h.key }, key, body);
    answer.catch(() => undefined);
    await expect.poll(() => networkBalance(h, 'USD')).toBe(before + 40_00n);
    await work(answer);
  });
}

const claimOf = async (operation?: string) => {
  const rows = await run<{ operation: string; session: number | null }>(
    h.db,
    `select operation, process_session(holder) as session from idempotency_keys
     where status is null and operation = coalesce($1, operation)`,
    [operation ?? null],
  );
  expect(rows.length).toBeLessThanOrEqual(1);
  return rows[0];
};

const paid = async ({ user_id }: Person) =>
  run<{ operation: string; state: string }>(
    h.db,
    'select operation::text, state from card_transactions where user_id = $1',
    [user_id],
  );

const named = ({ client_id }: Person) =>
  run<{ operation: string; reference: string; metadata: object }>(
    h.db,
    `select t.operation::text, n.reference, n.metadata from caller_names n
     join card_transactions t on t.reference_id = n.object_id
     where n.client_id = $1 and n.kind = 'card_top_up'`,
    [client_id],
  );

test('after kill -9 one of many repetitions carries the same operation on, at once and once', async () => {
  const as = await h.user();
  await cardUser(h, as).topUp(100);
  const [killed, key] = [await otherProcess(), randomUUID()];
  let operation = '';
  await whileCharged(killed, as, key, async () => {
    const claim = await claimOf();
    operation = claim?.operation ?? '';
    expect(claim?.session).not.toBeNull();
    // As long as its process lives, it is a request in progress.
    const early = await Promise.all(Array.from({ length: 5 }, () => repeat(as, key)));
    for (const { status, body } of early)
      expect([status, body.code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
    await killed.end('SIGKILL');
    await expect.poll(async () => (await claimOf())?.session).toBeNull();
  });
  const names = [{ operation, reference: 'order-40', metadata: { order: '40' } }];
  expect(await named(as)).toEqual(names);
  // Another request is no repetition.
  expect(await repeat(as, randomUUID())).toMatchObject({ status: 409 });

  // The clock stands still for the lease: two minutes have not passed.
  const answers = await Promise.all(Array.from({ length: 20 }, () => repeat(as, key)));
  const acted = answers.filter(({ status, replayed }) => status === 200 && !replayed);
  expect(acted).toHaveLength(1);
  for (const { status } of answers) expect([409, 200]).toContain(status);
  const again = await repeat(as, key);
  expect(again).toEqual({ ...acted[0], replayed: true });

  expect((await paid(as)).filter((row) => row.operation === operation)).toEqual([
    { operation, state: 'SETTLED' },
  ]);
  expect(await paid(as)).toHaveLength(2);
  expect(await named(as)).toEqual(names);
  expect(await repeat(as, randomUUID())).toMatchObject({
    status: 409,
    body: { code: 'REFERENCE_IN_USE' },
  });
  expect(await cardUser(h, as).balance('USD')).toEqual([97_00n + 38_80n, 0n]);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});

test('a process that is asked to stop answers first, and leaves no claim behind', async () => {
  const as = await h.user();
  const [stopping, key] = [await otherProcess(), randomUUID()];
  let first: Awaited<ReturnType<AppProcess['post']>> | undefined;
  let ended: Promise<number | null> | undefined;
  await whileCharged(stopping, as, key, async (answer) => {
    ended = stopping.end('SIGTERM');
    answer.then((said) => {
      first = said;
    });
    // Stopping, but alive.
    expect(await repeat(as, key)).toMatchObject({ status: 409 });
  });
  expect(await ended).toBe(0);
  expect(first).toMatchObject({ status: 200, replayed: false });
  expect(await claimOf()).toBeUndefined();
  expect(await repeat(as, key)).toEqual({ ...first, replayed: true });
  expect(await paid(as)).toHaveLength(1);
});

test('an attempt whose process was only thought to be gone can not keep what it did', async () => {
  const presence = await holdLiveness(databaseUrl, h.kernel.log);
  const cutOff = createIdempotency({ ...h.kernel, presence });
  const request = { key: randomUUID(), owner: 'me', body: 'b', raw: 'b' };
  const claimed = async ({ claim }: typeof cutOff) => {
    const mine = await claim(request);
    if ('payload' in mine) throw new Error('answered already');
    return mine;
  };
  const late = await claimed(cutOff);
  await expect(claimed(h.kernel.idempotency)).rejects.toMatchObject({ status: 409 });
  await presence.close();
  await expect.poll(async () => (await claimOf(late.operation))?.session).toBeNull();
  const taken = await claimed(h.kernel.idempotency);
  expect(taken.operation).toBe(late.operation);

  const answer = { status: 200, type: 'text/plain', payload: 'x' };
  const effect = (idempotency: typeof cutOff, mine: typeof late, name: string) =>
    transact(h.db, async (tx) => {
      await run(tx, 'insert into service_state values ($1, $2)', [name, '{}']);
      await idempotency.keep(tx, mine, answer);
    });
  await expect(effect(cutOff, late, 'late')).rejects.toMatchObject({ status: 409 });
  await cutOff.release(late);
  await effect(h.kernel.idempotency, taken, 'taken');
  const kept = await run(
    h.db,
    `select name from service_state where name in ('late', 'taken')`,
    [],
  );
  expect(kept).toEqual([{ name: 'taken' }]);
  expect(await h.kernel.idempotency.claim(request)).toEqual(answer);
});

test('a process that lost its connection keeps its claims, by the number it had before', async () => {
  const presence = await holdLiveness(databaseUrl, h.kernel.log);
  const cutOff = createIdempotency({ ...h.kernel, presence });
  const request = { key: randomUUID(), owner: 'me', body: 'b', raw: 'b' };
  await cutOff.claim(request);
  const before = presence.number;
  expect(before).toBeDefined();
  const session = async () =>
    (await run<{ pid: number | null }>(h.db, 'select process_session($1) as pid', [before]))[0]
      ?.pid;
  const lost = await session();
  await run(h.db, 'select pg_terminate_backend($1)', [lost]);
  const isThereAgain = async () => ![lost, null].includes(await session());
  await expect.poll(isThereAgain).toBe(true);
  expect(presence.number).toBe(before);
  await expect(h.kernel.idempotency.claim(request)).rejects.toMatchObject({ status: 409 });
  await presence.close();
  expect(await h.kernel.idempotency.claim(request)).toHaveProperty('operation');
});

test('a claim that no process could sign is free when its lease has ended, and not before', async () => {
  const query = () => Promise.reject(new Error('No connection'));
  const unsigned = createIdempotency({ ...h.kernel, presence: { number: undefined, query } });
  const request = { key: randomUUID(), owner: 'me', body: 'b', raw: 'b' };
  await unsigned.claim(request);
  await expect(h.kernel.idempotency.claim(request)).rejects.toMatchObject({ status: 409 });
  await h.advance(121);
  expect(await h.kernel.idempotency.claim(request)).toHaveProperty('operation');
});
