import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type Harness, harness, type Person } from '#test/harness.ts';
import { findOnboarding, replaceSnapshot } from './store.ts';

const hours = 3600;
/** The tests move the clock by days. */
const LASTING = { JWT_TTL: String(30 * 24 * hours) };
const CAPABILITIES = [
  'cap_send_funds',
  'cap_receive_funds',
  'cap_card_payments',
  'cap_ach_transfers',
];

describe.each([true, false])('with mock mode %s', (isMock) => {
  const ready = harness({ mock: isMock });
  const setUp = async () => toolsOf(await ready);

  test('a user becomes a customer, who may do nothing yet', async () => {
    const { h, onboard } = await setUp();
    const user = await h.user();
    expect(await onboard(user)).toEqual([
      200,
      {
        id: expect.any(String),
        status: 'not_started',
        type: 'individual',
        created_at: expect.any(String),
        kyc_status: 'not_started',
        signed_agreement_id: null,
        capabilities: CAPABILITIES.map((id) => ({
          id,
          // The endorsement for cards has been asked for.
          status: id === 'cap_card_payments' ? 'pending' : 'inactive',
          supported_currencies: expect.any(Array),
        })),
        external_accounts: [],
      },
    ]);
  });

  test('twenty onboardings at once, and one later, are one customer', async () => {
    const { h, onboard, customersOf } = await setUp();
    const user = await h.user();
    const answers = await Promise.all(Array.from({ length: 20 }, () => onboard(user)));
    expect(answers.map(([status]) => status)).toEqual(Array(20).fill(200));
    const ids = new Set([...answers, await onboard(user)].map(([, { id }]) => id));
    expect(ids.size).toBe(1);
    expect(await customersOf(user)).toBe(1);
    await h.advance(60);
    await h.drain();
    expect(await customersOf(user)).toBe(1);
  });

  test('the status is the partner’s own, and a sync tells what has changed', async () => {
    const { h, onboard, status, sync, setStatus } = await setUp();
    const user = await h.user();
    const [, { id }] = await onboard(user);
    await setStatus(user, 'verified');
    const [, shown] = await status(user);
    expect(shown).toEqual({
      id,
      status: 'verified',
      type: 'individual',
      kyc_status: 'approved',
      capabilities: CAPABILITIES.map((name) => ({
        id: name,
        status: 'active',
        supported_currencies: expect.any(Array),
      })),
      external_accounts: [],
      verification: {
        identity_status: 'approved',
        documents_status: 'approved',
        risk_assessment: 'low',
      },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const [, synced] = await sync(user);
    expect(synced).toMatchObject({
      user_id: user.user_id,
      pspb_customer_id: id,
      sync_status: 'success',
      previous_status: 'not_started',
      current_status: 'verified',
      capabilities_updated: true,
      sync_timestamp: expect.any(String),
    });
    expect(synced.changes_detected).toEqual(
      expect.arrayContaining([
        { field: 'status', from: 'not_started', to: 'verified' },
        { field: 'kyc_status', from: 'not_started', to: 'approved' },
        { field: 'capabilities.cap_send_funds', from: 'inactive', to: 'active' },
        { field: 'verification.risk_assessment', from: 'pending', to: 'low' },
      ]),
    );
    expect((await sync(user))[1]).toMatchObject({
      previous_status: 'verified',
      current_status: 'verified',
      capabilities_updated: false,
      changes_detected: [],
    });
  });

  test('a verified person has the verified name', async () => {
    const { h, onboard } = await setUp();
    const user = await h.user();
    const externalUserId = String(user.user_id);
    const approval = { externalUserId, type: 'KYC', reviewAnswer: 'GREEN', name: 'Budi Santoso' };
    await h.sandbox('POST', '/identity/reviews', approval);
    await h.drain();
    await onboard(user);
    const { rows } = await h.kernel.pool.query(
      `select data from sandbox.records where provider = 'partner' and kind = 'customer'
        and data ->> 'email' = $1`,
      [user.email],
    );
    expect(rows[0].data).toMatchObject({ full_name: 'Budi Santoso' });
  });

  test('an older answer of the partner never replaces a newer one', async () => {
    const { h, onboard, sync, setStatus } = await setUp();
    const user = await h.user();
    await onboard(user);
    const { snapshot } = (await findOnboarding(h.db, user.user_id)) ?? {};
    if (!snapshot) throw new Error('Nothing was kept');
    const earlier = h.clock.now();
    await setStatus(user, 'verified');
    await h.advance(1);
    await sync(user);
    expect(await replaceSnapshot(h.db, user.user_id, snapshot, earlier)).toBeUndefined();
    expect((await sync(user))[1]).toMatchObject({ previous_status: 'verified' });
  });

  test('each of the partner’s statuses is shown in the contract’s words', async () => {
    const { h, onboard, status, sync, setStatus } = await setUp();
    const user = await h.user();
    await onboard(user);
    for (const word of ['pending_verification', 'verified', 'rejected', 'not_started']) {
      await setStatus(user, word);
      expect((await status(user))[1].status).toBe(word);
      expect((await sync(user))[1].current_status).toBe(word);
    }
  });

  test('a bank account that is added at the partner is shown and emitted', async () => {
    const { h, onboard, status, sync } = await setUp();
    const user = await h.user();
    await onboard(user);
    await h.sandbox('POST', `/partner/customers/${user.email}/external-accounts`, {
      account_type: 'us',
    });
    const [, { external_accounts: accounts }] = await status(user);
    expect(accounts).toEqual([
      { id: expect.any(String), type: 'us', status: 'active', currency: 'USD' },
    ]);
    expect((await sync(user))[1]).toMatchObject({
      capabilities_updated: false,
      changes_detected: [
        { field: `external_accounts.${accounts[0].id}`, from: null, to: 'active' },
      ],
    });
  });

  test('of twenty concurrent syncs one answers the change', async () => {
    const { h, onboard, sync, setStatus } = await setUp();
    const user = await h.user();
    await onboard(user);
    await setStatus(user, 'rejected');
    const answers = await Promise.all(Array.from({ length: 20 }, () => sync(user)));
    const telling = answers.filter(([, { changes_detected }]) => changes_detected.length > 0);
    expect(telling).toHaveLength(1);
  });

  test('a user, the client’s admins and the operator read a customer', async () => {
    const { h, onboard, status, sync } = await setUp();
    const user = await h.user();
    const { client_id } = user;
    const admin = await h.user({ client_id, role: 'admin' });
    for (const as of [admin, await h.operator(), user]) {
      expect((await onboard(user, as))[0]).toBe(200);
      expect((await status(user, as))[0]).toBe(200);
      expect((await sync(user, as))[0]).toBe(200);
    }
    for (const as of [await h.user({ client_id }), await h.user({ role: 'admin' })]) {
      expect(await onboard(user, as)).toMatchObject([404, { error: 'User not found' }]);
      for (const read of [status, sync])
        expect(await read(user, as)).toMatchObject([404, { error: 'User not onboarded' }]);
    }
  });

  test('a user without onboarding is not found, and the user is required', async () => {
    const { h, status, sync } = await setUp();
    const user = await h.user();
    for (const read of [status, sync])
      expect(await read(user)).toMatchObject([404, { error: 'User not onboarded' }]);
    const lacking = [400, { error: 'user_id is required' }];
    expect(await h.call('POST /pspb/customers', { as: user, body: {} })).toMatchObject(lacking);
    for (const id of ['GET /pspb/status', 'GET /pspb/status/sync'] as const)
      expect(await h.call(id, { as: user })).toMatchObject(lacking);
    for (const user_id of [null, 'me', 0, 1.5, true])
      expect((await h.call('POST /pspb/customers', { as: user, body: { user_id } }))[0]).toBe(400);
    const { n } = await h.db
      .selectFrom('partner_customers')
      .select(({ fn }) => fn.countAll().as('n'))
      .where('user_id', '=', user.user_id)
      .executeTakeFirstOrThrow();
    expect(n).toBe(0);
  });

  test('the mode is the sandbox’s', async () => {
    const { h } = await setUp();
    const as = await h.user();
    expect(await h.call('GET /pspb/mode', { as })).toEqual([200, { mode: 'sandbox' }]);
  });
});

describe('a partner that misbehaves', async () => {
  const { h, onboard, status, sync, setStatus, customersOf, arm } = toolsOf(
    await harness({ config: LASTING }),
  );
  const away = (error: string) => [
    503,
    { error, details: expect.any(String), code: 'PROVIDER_UNAVAILABLE' },
  ];

  for (const kind of ['delay', 'refuse', 'drop', 'commit-then-drop', 'error'])
    test(`once with ${kind} has no effect`, async () => {
      const user = await h.user();
      await arm(kind, { ms: 20 });
      expect((await onboard(user))[0]).toBe(200);
      for (const read of [status, sync]) {
        await arm(kind, { ms: 20 });
        expect((await read(user))[0]).toBe(200);
      }
      expect(await customersOf(user)).toBe(1);
    });

  for (const kind of ['refuse', 'drop', 'commit-then-drop', 'error']) {
    test(`for longer with ${kind} is reported, and the job creates the one customer`, async () => {
      const user = await h.user();
      await arm(kind, { times: 100 });
      for (let n = 0; n < 2; n += 1)
        expect(await onboard(user)).toMatchObject(away('Failed to onboard the customer'));
      await h.sandbox('DELETE', '/faults');
      expect(await status(user)).toMatchObject([404, { error: 'User not onboarded' }]);
      await h.advance(31);
      await h.drain();
      expect(await customersOf(user)).toBe(1);
      expect((await onboard(user))[0]).toBe(200);
      expect((await status(user))[0]).toBe(200);
    });

    test(`asked about a customer, with ${kind}, loses no change`, async () => {
      const user = await h.user();
      await onboard(user);
      await setStatus(user, 'verified');
      await arm(kind, { times: 100 });
      expect(await status(user)).toMatchObject(away('Failed to read the customer status'));
      expect(await sync(user)).toMatchObject(away('Failed to sync the customer status'));
      await h.sandbox('DELETE', '/faults');
      expect((await sync(user))[1]).toMatchObject({ previous_status: 'not_started' });
    });
  }

  test('for hours is asked again with longer pauses, under the same key', async () => {
    const user = await h.user();
    await arm('commit-then-drop', { times: 8 });
    await onboard(user);
    for (let hour = 0; hour < 5; hour += 1) {
      await h.advance(hours);
      await h.drain();
    }
    expect(await customersOf(user)).toBe(1);
    expect((await onboard(user))[0]).toBe(200);
  });

  test('for a day creates no second customer of a key that it may have forgotten', async () => {
    const user = await h.user();
    await arm('commit-then-drop', { times: 2 });
    await onboard(user);
    await h.advance(24 * hours);
    await h.drain();
    expect(await onboard(user)).toMatchObject(away('Failed to onboard the customer'));
    expect(await customersOf(user)).toBe(1);
    expect(h.logs.some((line) => line.includes('needs a person'))).toBe(true);
  });

  test('that refuses the data gets it again once it has changed', async () => {
    const user = await h.user();
    const setEmail = (email: string) =>
      h.db.updateTable('users').set({ email }).where('user_id', '=', user.user_id).execute();
    await setEmail('nobody');
    expect(await onboard(user)).toMatchObject([
      400,
      { error: 'The partner refused the customer', code: 'PROVIDER_REJECTED' },
    ]);
    await setEmail(user.email);
    expect((await onboard(user))[0]).toBe(200);
    await h.advance(60);
    await h.drain();
    expect(await customersOf(user)).toBe(1);
  });

  test('gets the same data under one key, whatever changes meanwhile', async () => {
    const user = await h.user();
    await arm('commit-then-drop', { times: 2 });
    await onboard(user);
    await h.db
      .updateTable('users')
      .set({ email: 'moved@example.test', username: 'renamed' })
      .where('user_id', '=', user.user_id)
      .execute();
    expect((await onboard(user))[0]).toBe(200);
    expect(await customersOf(user)).toBe(1);
  });
});

test.each([
  [
    'that refuses a call at its door has created nothing, so a new key follows',
    401,
    'invalid_credentials',
  ],
  ['for a reason of its own may have made one, so none does', 409, 'request_in_progress'],
])('a partner that for a day refuses %s', async (_reason, refusal, code) => {
  let asked = 0;
  const partner = createServer((_request, response) => {
    asked += 1;
    response.writeHead(refusal, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ code, message: 'Refused' }));
  });
  await new Promise<void>((resolve) => partner.listen(0, '127.0.0.1', resolve));
  const { port } = partner.address() as AddressInfo;
  const { h, onboard } = toolsOf(
    await harness({ config: { ...LASTING, PARTNER_URL: `http://127.0.0.1:${port}` } }),
  );
  const user = await h.user();
  const key = async () => {
    const row = await h.db
      .selectFrom('partner_customers')
      .select('idempotency_key')
      .where('user_id', '=', user.user_id)
      .executeTakeFirst();
    return row?.idempotency_key;
  };
  expect((await onboard(user))[0]).toBe(503);
  const first = await key();
  expect((await onboard(user))[0]).toBe(503);
  expect(await key()).toBe(first);
  const askedBefore = asked;
  await h.advance(24 * hours);
  await h.drain();
  expect((await onboard(user))[0]).toBe(503);
  expect((await key()) === first).toBe(refusal === 409);
  // The old key is not sent again: a partner that has forgotten it would create a second customer.
  expect(asked > askedBefore).toBe(refusal === 401);
  partner.closeAllConnections();
  partner.close();
});

/** Actions of the tests on users as customers of the partner. */
function toolsOf(h: Harness) {
  const ofUser = ({ user_id }: Person) => ({ user_id });
  return {
    h,
    onboard: (user: Person, as = user) =>
      h.call('POST /pspb/customers', { as, body: ofUser(user) }),
    status: (user: Person, as = user) => h.call('GET /pspb/status', { as, query: ofUser(user) }),
    sync: (user: Person, as = user) => h.call('GET /pspb/status/sync', { as, query: ofUser(user) }),
    setStatus: ({ email }: Person, status: string) =>
      h.sandbox('POST', `/partner/customers/${email}/status`, { status }),
    arm: (kind: string, fields: object = {}) =>
      h.sandbox('POST', '/faults', { provider: 'partner', kind, ...fields }),
    async customersOf({ email }: Person): Promise<number> {
      const { rows } = await h.kernel.pool.query(
        `select from sandbox.records where provider = 'partner' and kind = 'customer'
          and data ->> 'email' = $1`,
        [email],
      );
      return rows.length;
    },
  };
}
