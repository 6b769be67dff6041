import { describe, expect, test } from 'vitest';
import {
  armPlaid,
  type BankUser,
  bankUser,
  booksHold,
  houseCents,
  plaidRecords,
} from '#test/bank-link.ts';
import { harness } from '#test/harness.ts';

const NO_CONNECTION = 'Koneksi bank tidak ditemukan untuk wallet ini';

describe.each([true, false])('with mock mode %s', (isMock) => {
  const ready = harness({ mock: isMock });
  const person = async (): Promise<BankUser> => {
    const h = await ready;
    return bankUser(h, await h.user());
  };
  const items = async () => (await plaidRecords(await ready, 'item')).map(({ data }) => data);

  test('a user links a bank account to a wallet, and the token is stored sealed', async () => {
    const h = await ready;
    const ada = await person();
    expect(await ada.check()).toEqual([200, { connected: false }]);
    const { wallet_id } = ada;
    expect(
      await ada.post('link-token/create', { wallet_id, phone_number: '+12025550100' }),
    ).toEqual([
      200,
      {
        status: 'SUCCESS',
        link_token: expect.stringMatching(/^link-sandbox-/),
        expiration: expect.any(String),
      },
    ]);
    const finished = await ada.publicToken();
    expect(await ada.post('link-token/exchange', finished)).toEqual([
      200,
      { status: 'SUCCESS', message: expect.any(String) },
    ]);
    // The request names no wallet: it is that of the link token.
    const [status, linked] = await ada.post('item/public-token/exchange', finished);
    expect([status, linked]).toEqual([
      200,
      {
        status: 'SUCCESS',
        access_token: expect.stringMatching(/^access-/),
        item_id: expect.any(String),
      },
    ]);
    expect(await ada.check()).toEqual([200, { connected: true }]);
    expect(await ada.accessToken()).toEqual([200, { access_token: linked.access_token }]);
    const [kept] = await ada.connections();
    expect(kept).toMatchObject({
      wallet_id,
      item_id: linked.item_id,
      account_id: finished.metadata.account_id,
      institution_name: 'First Platypus Bank',
    });
    expect(JSON.stringify(kept)).not.toContain(linked.access_token);
    expect(h.logs.join('')).not.toContain(linked.access_token);
    expect(await ada.logged()).toContain('BANK_LINK_CONNECT');
  });

  test('a linked wallet answers a second exchange with its connection', async () => {
    const ada = await person();
    const [, { access_token, item_id }] = await ada.exchange();
    expect(await ada.exchange()).toEqual([
      200,
      { status: 'ALREADY_CONNECTED', access_token, item_id },
    ]);
    expect(await ada.connections()).toHaveLength(1);
  });

  test('twenty concurrent exchanges make one connection and one item', async () => {
    const ada = await person();
    const before = (await items()).length;
    const answers = await Promise.all(Array.from({ length: 20 }, () => ada.exchange()));
    expect(answers.map(([, { status }]) => status).sort()).toEqual([
      ...Array(19).fill('ALREADY_CONNECTED'),
      'SUCCESS',
    ]);
    expect(new Set(answers.map(([, { access_token }]) => access_token)).size).toBe(1);
    expect((await items()).length).toBe(before + 1);
    expect((await ada.logged()).filter((action) => action === 'BANK_LINK_CONNECT')).toHaveLength(1);
  });

  test('the stored answer with an access token goes to its caller alone', async () => {
    const h = await ready;
    const ada = await person();
    const body = { ...(await ada.publicToken()), wallet_id: ada.wallet_id };
    const first = await ada.post('item/public-token/exchange', body, 'link-1');
    expect(await ada.post('item/public-token/exchange', body, 'link-1')).toEqual(first);
    const { rows } = await h.kernel.pool.query('select * from idempotency_keys');
    expect(JSON.stringify(rows)).not.toContain('access-sandbox');
  });

  test('a disconnect removes it here and at the provider, is logged, and can be repeated', async () => {
    const ada = await person();
    const [, { item_id }] = await ada.exchange();
    expect(await ada.disconnect()).toEqual([200, { message: 'Bank connection removed' }]);
    expect(await ada.check()).toEqual([200, { connected: false }]);
    expect(await ada.disconnect()).toEqual([200, { message: 'Bank connection is already gone' }]);
    expect(await ada.connections()).toMatchObject([{ state: 'REMOVED', sealed_token: null }]);
    expect((await items()).find((item) => item.item_id === item_id)).toMatchObject({
      removed: true,
    });
    expect((await ada.logged()).slice(-2)).toEqual(['BANK_LINK_CONNECT', 'BANK_LINK_DISCONNECT']);
    expect(await ada.accessToken()).toMatchObject([404, { message: NO_CONNECTION }]);
    expect(await ada.exchange()).toMatchObject([200, { status: 'SUCCESS' }]);
  });

  test('the accounts are those of all connections of a user', async () => {
    const h = await ready;
    const ada = await person();
    expect(await ada.accounts()).toMatchObject([404, { status: 'FAILED' }]);
    await ada.exchange();
    const [, { data }] = await h.call('POST /wallets/fiat', {
      as: ada.as,
      body: { currency: 'SGD' },
    });
    const second = { ...(await ada.publicToken()), wallet_id: data.wallet_id };
    await ada.post('item/public-token/exchange', second);
    const [status, { accounts }] = await ada.accounts();
    expect([status, accounts.length]).toEqual([200, 4]);
    expect(accounts[0]).toEqual({
      account_id: expect.any(String),
      balances: { available: 10_000, current: 10_110, iso_currency_code: 'USD' },
      name: 'Plaid Checking',
      type: 'depository',
      subtype: 'checking',
      mask: '0000',
    });
    // A connection that is gone at the provider does not hide the others.
    const [, { access_token }] = await ada.accessToken();
    await ada.post('remove-item', { access_token });
    expect((await ada.accounts())[1].accounts).toEqual(accounts.slice(2));
  });

  test('an item is removed at the provider only', async () => {
    const ada = await person();
    const [, { access_token, item_id }] = await ada.exchange();
    expect(await ada.post('remove-item', { access_token })).toEqual([
      200,
      { message: expect.any(String), data: { removed: true } },
    ]);
    expect((await items()).find((item) => item.item_id === item_id)).toMatchObject({
      removed: true,
    });
    expect(await ada.check()).toEqual([200, { connected: true }]);
    expect(await ada.accounts()).toMatchObject([400, { message: 'The bank connection is gone' }]);
    expect(await ada.disconnect()).toMatchObject([200, {}]);
    const stranger = await person();
    const foreign = await ada.exchange();
    expect(
      await stranger.post('remove-item', { access_token: foreign[1].access_token }),
    ).toMatchObject([400, { status: 'FAILED', message: 'Invalid access_token' }]);
  });

  test('no other user opens or uses a connection, not even an admin', async () => {
    const h = await ready;
    const ada = await person();
    await ada.exchange();
    const admin = await h.user({ role: 'admin', client_id: ada.as.client_id });
    const { wallet_id } = ada;
    const params = { wallet_id };
    for (const as of [await h.user(), admin]) {
      const by = (id: Parameters<typeof h.call>[0], body?: object) =>
        h.call(id, { as, params, ...(body && { body }) });
      expect(await by('GET /banklink/{wallet_id}/access-token')).toMatchObject([
        404,
        { message: NO_CONNECTION },
      ]);
      expect(await by('POST /banklink/topup', { wallet_id, amount: 5 })).toMatchObject([
        404,
        { status: 'FAILED', message: NO_CONNECTION },
      ]);
      expect(await by('POST /banklink/link-token/create', { wallet_id })).toMatchObject([
        404,
        { message: 'User not found for wallet' },
      ]);
      const public_token = 'public-sandbox-x';
      expect(
        await by('POST /banklink/item/public-token/exchange', { public_token, wallet_id }),
      ).toMatchObject([404, { code: 'WALLET_NOT_FOUND' }]);
    }
    const check = (as: { token: string }) =>
      h.call('GET /banklink/{wallet_id}/check', { as, params });
    expect(await check(admin)).toEqual([200, { connected: true }]);
    expect(await check(await h.user())).toMatchObject([404, { status: 'FAILED' }]);
  });

  test('missing and wrong fields are refused in the contract’s words', async () => {
    const h = await ready;
    const ada = await person();
    const { wallet_id } = ada;
    const told = async (path: string, body: object) => {
      const [status, { status: word, message }] = await ada.post(path, body);
      return [status, word, message];
    };
    const failed = (message: string) => [400, 'FAILED', message];
    expect(await told('link-token/create', {})).toEqual(failed('wallet_id required'));
    expect(await told('link-token/exchange', {})).toEqual(failed('public_token required'));
    expect(await told('item/public-token/exchange', {})).toEqual(failed('Missing public_token'));
    expect(await told('item/public-token/exchange', { public_token: ' ' })).toEqual(
      failed('Missing public_token'),
    );
    expect(await told('item/public-token/exchange', { public_token: 'x' })).toEqual(
      failed('wallet_id required: no link token was made before'),
    );
    expect(await told('remove-item', {})).toEqual(failed('access_token required'));
    for (const body of [{}, { wallet_id }, { amount: 5 }, { wallet_id, amount: 0 }])
      expect(await told('topup', body)).toEqual(failed('wallet_id dan amount wajib diisi'));
    expect((await told('topup', { wallet_id, amount: 5, currency: 'IDR' }))[0]).toBe(400);
    expect((await told('transfer', {}))[0]).toBe(400);
    expect((await told('transfer', { transfer_id: 'x', event_type: 'lost' }))[0]).toBe(400);
    expect((await told('payment', {}))[0]).toBe(400);
    const at = async (id: Parameters<typeof h.call>[0], params: Record<string, string>) => {
      const [status, { message }] = await h.call(id, { as: ada.as, params });
      return [status, message];
    };
    for (const id of [
      'GET /banklink/{wallet_id}/check',
      'DELETE /banklink/{wallet_id}/bank',
    ] as const)
      expect(await at(id, { wallet_id: 'abc' })).toEqual([400, 'wallet_id tidak valid']);
    expect(await at('GET /banklink/{user_id}/accounts', { user_id: '0' })).toEqual([
      400,
      'user_id required',
    ]);
  });

  test('a top-up takes dollars, an amount that ACH carries, and a linked wallet', async () => {
    const h = await ready;
    const ada = await person();
    expect(await ada.topUp(10)).toMatchObject([404, { status: 'FAILED', message: NO_CONNECTION }]);
    await ada.exchange();
    expect(await ada.topUp('100000.01')).toMatchObject([400, { code: 'LIMIT_EXCEEDED' }]);
    expect(await ada.topUp('1.001')).toMatchObject([400, { code: 'VALIDATION_ERROR' }]);
    const [, { data }] = await h.call('POST /wallets/fiat', {
      as: ada.as,
      body: { currency: 'IDR' },
    });
    const rupiah = { ...(await ada.publicToken()), wallet_id: data.wallet_id };
    await ada.post('item/public-token/exchange', rupiah);
    expect(await ada.post('topup', { wallet_id: data.wallet_id, amount: 5 })).toMatchObject([
      400,
      { message: 'Only a USD wallet is topped up from a bank account' },
    ]);
    expect(await ada.topUps()).toEqual([]);
  });

  test.each(['delay', 'refuse', 'drop', 'commit-then-drop', 'error'])(
    'a provider with a lasting fault (%s) leaves no half-made link',
    async (kind) => {
      const h = await ready;
      const ada = await person();
      const times = 6;
      const finished = await ada.publicToken();
      await armPlaid(h, kind, times);
      const [status] = await ada.post('link-token/create', { wallet_id: ada.wallet_id });
      expect([200, 503]).toContain(status);
      const body = { ...finished, wallet_id: ada.wallet_id };
      const [exchanged, answer] = await ada.post('item/public-token/exchange', body);
      await h.sandbox('DELETE', '/faults');
      if (exchanged === 200) expect(answer.status).toBe('SUCCESS');
      else {
        expect([exchanged, answer.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
        expect(await ada.check()).toEqual([200, { connected: false }]);
        // Its public token may be used up; the next one links as soon as the first is given up.
        await h.advance(61);
        await h.drain();
        expect(await ada.exchange()).toMatchObject([200, { status: 'SUCCESS' }]);
      }
      await armPlaid(h, kind, times);
      expect(await ada.disconnect()).toMatchObject([200, {}]);
      await h.sandbox('DELETE', '/faults');
      await h.advance(61);
      await h.drain();
      expect((await ada.connections()).at(-1)).toMatchObject({ state: 'REMOVED' });
      const [latest] = (await items()).slice(-1);
      expect(latest).toMatchObject({ removed: true });
    },
  );
});

describe('in mock mode', () => {
  const ready = harness({ mock: true });

  test('any public token links', async () => {
    const h = await ready;
    const ada = await bankUser(h, await h.user());
    const body = { public_token: 'anything', wallet_id: ada.wallet_id };
    expect(await ada.post('item/public-token/exchange', body)).toMatchObject([
      200,
      { status: 'SUCCESS' },
    ]);
    expect((await ada.accounts())[1].accounts).toHaveLength(2);
  });

  test('a top-up is in the wallet at once, once for an idempotency key', async () => {
    const h = await ready;
    const ada = await bankUser(h, await h.user());
    await ada.exchange();
    const before = await houseCents(h, 'bank-link');
    const [status, answer] = await ada.topUp(25.5, 'top-up-1');
    expect([status, answer]).toEqual([
      200,
      {
        status: 'SUCCESS',
        transaction_id: expect.any(String),
        transaction: { type: 'TOPUP', status: 'SUCCESS_RECEIVED' },
      },
    ]);
    expect(await ada.topUp(25.5, 'top-up-1')).toEqual([200, answer]);
    expect(await ada.balance()).toBe(25_50n);
    expect(await houseCents(h, 'bank-link')).toBe(before - 25_50n);
    expect(await ada.topUps()).toMatchObject([
      { status: 'SUCCESS_RECEIVED', simulated: true, amount: 25_50n, transfer_id: null },
    ]);
    expect(await ada.logged()).toContain('BANK_TOPUP');
    expect(await plaidRecords(h, 'transfer')).toEqual([]);
    expect(await booksHold(h)).toEqual([]);
  });

  test('twenty concurrent top-ups are twenty top-ups', async () => {
    const h = await ready;
    const ada = await bankUser(h, await h.user());
    await ada.exchange();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ada.topUp('0.01')));
    expect(new Set(answers.map(([, { transaction_id }]) => transaction_id)).size).toBe(20);
    expect(await ada.balance()).toBe(20n);
    expect(await booksHold(h)).toEqual([]);
  });

  test('a simulation is accepted as it comes', async () => {
    const h = await ready;
    const ada = await bankUser(h, await h.user());
    expect(await ada.post('transfer', { transfer_id: 'tr-1' })).toEqual([
      200,
      {
        message: expect.any(String),
        data: { transfer_id: 'tr-1', event_type: 'settled', timestamp: expect.any(String) },
      },
    ]);
    expect(await ada.post('payment', { payment_id: 'pay-1' })).toEqual([
      200,
      {
        message: expect.any(String),
        data: { payment_id: 'pay-1', status: 'COMPLETED', timestamp: expect.any(String) },
      },
    ]);
  });
});
