import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { banking } from '#test/banking.ts';
import { mobileLogIn, testDevice } from '#test/devices.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { logInAgain } from '#test/log-in-again.ts';

const h = await harness();
const { balance, confirm, give, holder, post, send } = banking(h);
const DAY = 24 * 3600;

const close = (as: Person) =>
  h.call('POST /profile/close', { as, body: { current_password: as.password } });

async function erase(as: Person): Promise<void> {
  expect((await close(as))[0]).toBe(202);
  await h.advance(14 * DAY + 1);
  await h.drain();
}

/** Every text of every table in which the person is found by such words. */
async function tracesOf(words: readonly string[], except: readonly string[]): Promise<string[]> {
  const tables = await run<{ name: string }>(
    h.db,
    `select case when n.nspname = 'public' then '' else n.nspname || '.' end || c.relname as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not like 'pg\\_%'
        and n.nspname <> 'information_schema'`,
    [],
  );
  const found: string[] = [];
  for (const { name } of tables.filter((one) => !except.includes(one.name)))
    for (const word of words) {
      const text = `select 1 from ${name} t where position($1 in to_jsonb(t)::text) > 0 limit 1`;
      if ((await run(h.db, text, [word])).length > 0) found.push(`${name}: ${word}`);
    }
  return found;
}

/** Where what is kept stands, by the reason that its feature gives; and what goes by its age. */
const KEPT = ['activity_log', 'events.log', 'events.outbox', 'idempotency_keys', 'sandbox.records'];

test('an erased person is in no table but where the law or age has it, and the books are whole', async () => {
  const { client_id } = await h.client();
  const phone = '+12025554201';
  const person = await h.user({ client_id, phone, username: 'ada-the-first' });
  const as = { ...person, ...(await give(person.user_id, '10')) };
  const other = await holder(client_id, '1');
  await confirm(other);
  await mobileLogIn(h, phone, await testDevice(h, 'Phone of Lovelace'));
  await h.call('PATCH /profile', {
    as,
    body: { first_name: 'Augusta', last_name: 'Lovelace', locale: 'id' },
  });
  const sent = await send(as, {
    to: { user_id: other.user_id },
    amount: '10.00',
    note: 'For Lovelace’s rent',
  });
  expect(sent[0]).toBe(201);
  await h.call('POST /profile/email', {
    as,
    body: { new_email: `lovelace-${as.email}`, current_password: as.password },
  });
  await h.drain();
  const before = await balance(other);
  await erase(as);
  const words = [as.email, phone, 'ada-the-first', 'Augusta', 'Lovelace'];
  expect(await tracesOf(words, KEPT)).toEqual([]);
  const [row] = await run<Body>(h.db, 'select * from users where user_id = $1', [as.user_id]);
  expect(row).toMatchObject({
    username: `erased-${as.user_id}`,
    email: `erased-${as.user_id}`,
    phone: null,
    password_hash: null,
    user_status: 'ERASED',
  });
  expect(await balance(other)).toBe(before);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
  const entries = await run(h.db, 'select from ledger.entries where account_id = $1', [
    as.account_id,
  ]);
  expect(entries.length).toBeGreaterThan(1);
});

test('nobody logs in to an erased account, and no admin brings it back', async () => {
  const admin = await h.user({ role: 'admin' });
  const as = await h.user({ client_id: admin.client_id });
  await erase(as);
  expect((await h.call('GET /profile', { as }))[0]).toBe(401);
  const logIn = (usernameoremail: string) =>
    h.call('POST /auth/login', { body: { usernameoremail, password: as.password } });
  expect((await logIn(as.email))[0]).toBe(401);
  expect((await logIn(`erased-${as.user_id}`))[0]).toBe(401);
  const set = (user_status: string) =>
    run(h.db, 'update users set user_status = $2 where user_id = $1', [as.user_id, user_status]);
  await expect(set('ACTIVE')).rejects.toThrow('was erased');
  await expect(set('INACTIVE')).rejects.toThrow('was erased');
});

test('a transfer to an erased person is refused, and their address is free for a new account', async () => {
  const { client_id } = await h.client();
  const as = await h.user({ client_id });
  const other = await holder(client_id, '2');
  await erase(as);
  await logInAgain(h, other);
  const sent = await send(other, { to: { user_id: as.user_id }, amount: '1.00' });
  expect([sent[0], sent[1].error?.code]).toEqual([409, 'RECIPIENT_UNAVAILABLE']);
  expect(await balance(other)).toBe('2.00 0.00');
  const again = await h.user({ client_id, email: as.email });
  expect(again.user_id).not.toBe(as.user_id);
});

test('an erasure tells user.erased once, without the person’s data', async () => {
  const as = await h.user();
  await erase(as);
  await h.advance(3600);
  await h.drain();
  const told = await run<{ type: string; data: Body }>(
    h.db,
    `select type, data from events.outbox where user_id = $1 and type like 'user.%'
     union all select type, data from events.log where user_id = $1 and type like 'user.%'`,
    [as.user_id],
  );
  const erased = told.filter(({ type }) => type === 'user.erased');
  expect(erased.map(({ data }) => [data.email, data.user_status])).toEqual([
    [`erased-${as.user_id}`, 'ERASED'],
  ]);
});

test('notes of others’ payments stay, and those of the erased go, also after the end', async () => {
  const { client_id } = await h.client();
  const [as, other] = [await holder(client_id), await holder(client_id, '5')];
  await confirm(as);
  const request = await post('POST /wallets/fiat/requests', as, {
    body: {
      wallet_id: as.wallet_id,
      amount: '1',
      to: { user_id: other.user_id },
      note: 'a note of the erased',
    },
  });
  const { request_id } = request[1].data;
  await post('POST /wallets/fiat/requests/{request_id}/cancel', as, { params: { request_id } });
  await send(other, { to: { user_id: other.user_id }, amount: '1', note: `${randomUUID()}` });
  await erase(as);
  const notes = await run<{ note: string | null }>(
    h.db,
    'select note from payment_requests where user_id = $1',
    [as.user_id],
  );
  expect(notes).toEqual([{ note: null }]);
});
