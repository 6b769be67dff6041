import { describe, expect, test } from 'vitest';
import { used } from '#test/budgets.ts';
import { enter, newAccount, tokenOf } from '#test/external-login.ts';
import { harness, type Person } from '#test/harness.ts';

const h = await harness({ mock: false, config: { TRUST_PROXY: '1' } });
// Counts of a client go by full hours: none should end in the middle of a test.
await h.advance(3600 - (h.clock.seconds() % 3600));
const operator = await h.operator();

let serial = 0;
const newNetwork = () => {
  serial += 1;
  return { 'x-forwarded-for': `198.51.${serial >> 8}.${serial & 255}` };
};
const organisation = (fields: object = {}) => {
  serial += 1;
  return {
    email: `founder-${serial}@example.test`,
    client_alias: `Company ${serial}`,
    client_type: 'BUSINESS',
    country_code: 'SG',
    phone: '+6561234567',
    ...fields,
  };
};
const signUp = (fields?: object, headers = newNetwork(), key = h.key) =>
  h.call('POST /clients/create_with_admin', { body: organisation(fields), headers, key });
const makeUser = (as: Person, email: string, headers = newNetwork()) =>
  h.call('POST /admins/users', {
    as,
    headers,
    body: {
      client_id: as.client_id,
      username: 'Ada',
      email,
      phone: '+6561234567',
      country_code: 'SG',
    },
  });
const approve = (client_id: number) =>
  h.db
    .updateTable('clients')
    .set({ client_status: 'ACTIVE' })
    .where('client_id', '=', client_id)
    .execute();
const TOO_MANY = [429, { code: 'RATE_LIMITED', error: 'Too many sign-ups, try again later' }];
const statusesOf = (answers: readonly [number, unknown][]) => {
  const counts: Record<number, number> = {};
  for (const [status] of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe('clients', () => {
  test('sign up 30 times an hour from one network, also at once, and no mail goes further', async () => {
    const headers = newNetwork();
    const answers = await Promise.all(Array.from({ length: 35 }, () => signUp({}, headers)));
    expect(statusesOf(answers)).toEqual({ 201: 30, 429: 5 });
    expect(answers.find(([status]) => status === 429)).toMatchObject(TOO_MANY);
    expect((await signUp())[0]).toBe(201);
    await h.advance(3600);
    expect((await signUp({}, headers))[0]).toBe(201);
  });

  test.each(['ACTIVE', 'pending', 'VIP'])(
    'cannot declare their own approval: %s',
    async (client_status) => {
      const own = await h.apiKey({ client_id: 1, user_id: (await h.user()).user_id });
      for (const key of [h.key, own])
        expect(await signUp({ client_status }, newNetwork(), key)).toMatchObject([
          403,
          {
            code: 'FORBIDDEN',
            error: 'Only the platform operator may create clients that are not PENDING',
          },
        ]);
      const [status, { client }] = await signUp({ client_status: 'PENDING' });
      expect([status, client.client_status]).toEqual([201, 'PENDING']);
    },
  );

  test('are approved from the start where the operator creates them', async () => {
    const key = await h.apiKey({ client_id: 1, user_id: operator.user_id });
    const [status, { client }] = await signUp({ client_status: 'ACTIVE' }, newNetwork(), key);
    expect([status, client.client_status]).toEqual([201, 'ACTIVE']);
  });
});

describe('users that an admin creates', () => {
  test('are 50 an hour for a client without approval, from all networks', async () => {
    const as = await h.user({ role: 'admin' });
    const answers: [number, unknown][] = [];
    for (let n = 0; n < 55; n += 1) answers.push(await makeUser(as, `u${n}-a@example.test`));
    expect(statusesOf(answers)).toEqual({ 201: 50, 429: 5 });
    await approve(as.client_id);
    expect((await makeUser(as, 'approved@example.test'))[0]).toBe(201);
  });

  test('flood no mailbox, whatever is added to its name and whoever asks', async () => {
    const admins = [await h.user({ role: 'admin' }), await h.user({ role: 'admin' })];
    for (const { client_id } of admins) await approve(client_id);
    const bombs = (as: Person, tag: string) =>
      Promise.all(
        Array.from({ length: 20 }, (_, n) => makeUser(as, `Victim+${tag}${n}@mailbox.test`)),
      );
    const answers = (await Promise.all(admins.map((as, n) => bombs(as, `${n}-`)))).flat();
    expect(statusesOf(answers)).toEqual({ 201: 30, 429: 10 });
    const sent = await h.db
      .selectFrom('messages')
      .select('message_id')
      .where('recipient', 'like', '%@mailbox.test')
      .execute();
    expect(sent).toHaveLength(30);
    // Refused before any data of the account is stored.
    const kept = await h.db
      .selectFrom('users')
      .select('user_id')
      .where('email', 'like', '%@mailbox.test')
      .execute();
    expect(kept).toHaveLength(30);
  });
});

test('users of an external log-in register 100 times an hour from one network', async () => {
  const { client_id } = await h.client();
  const key = await h.apiKey({ client_id });
  const headers = newNetwork();
  await used(h, `new external user by network/60m ${headers['x-forwarded-for']}`, 99);
  const enterFrom = async (ext_token: string) =>
    h.call('POST /extauth/auth/login', { key, headers, body: { ext_token } });
  const token = await tokenOf(h, newAccount());
  expect((await enterFrom(token))[0]).toBe(200);
  expect(await enterFrom(await tokenOf(h, newAccount()))).toMatchObject([
    429,
    { error: { code: 'RATE_LIMITED' } },
  ]);
  // Registered users, and users elsewhere, log in as before.
  expect((await enterFrom(token))[0]).toBe(200);
  expect((await enter(h, await tokenOf(h, newAccount()), key))[0]).toBe(200);
});

test('rewards accounts are opened 100 times an hour from one network', async () => {
  const headers = newNetwork();
  await used(h, `new member by network/60m ${headers['x-forwarded-for']}`, 99);
  const logIn = (phone: string, from = headers) =>
    h.call('POST /xusers/login', { headers: from, body: { phone } });
  expect((await logIn('+6281300000001'))[0]).toBe(200);
  expect(await logIn('+6281300000002')).toMatchObject(TOO_MANY);
  expect((await logIn('+6281300000001'))[0]).toBe(200);
  expect((await logIn('+6281300000002', newNetwork()))[0]).toBe(200);
});
