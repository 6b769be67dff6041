import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';
import { walletOn } from '#test/wallets.ts';

const h = await harness();
const TO = '0x52908400098527886E0F7030069857D2E4169EE7';

const log = async (as: Person, bw_id: number, some: object = {}) => {
  const [status, { data }] = await h.call('POST /onchain/log', {
    as,
    body: {
      bw_id,
      tx_hash: `0x${randomBytes(32).toString('hex')}`,
      amount: '1',
      to_address: TO,
      token_symbol: 'POL',
      chain_id: 'amoy',
      token_contract: 'native',
      gas_fee: '0.001',
      platform_fee: '0.1',
      ...some,
    },
  });
  expect(status).toBe(201);
  return data.transaction_log;
};
const history = (
  as: Person,
  user_id: number | string,
  query: Record<string, string | number> = {},
) => h.call('GET /onchain/history/{user_id}', { as, params: { user_id }, query });
const everything = (as: Person, user_id: number, query: Record<string, string | number> = {}) =>
  h.call('GET /transactions/{user_id}/history', { as, params: { user_id }, query });

let owner: Person;
let bw_id: number;
beforeAll(async () => {
  owner = await h.user();
  const [wallet] = await walletOn(h, owner, 'amoy');
  bw_id = wallet?.bw_id ?? 0;
  for (let i = 0; i < 5; i += 1) await log(owner, bw_id, { amount: `${i + 1}` });
  await log(owner, bw_id, { chain_id: 'sepolia', token_symbol: 'ETH', amount: '6' });
});

describe('the history of sends', () => {
  test('is newest first, in pages, with what was asked for', async () => {
    const [status, { data }] = await history(owner, owner.user_id, { limit: 2, offset: 1 });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      user_id: owner.user_id,
      pagination: { total: 6, limit: 2, offset: 1, has_more: true },
      filters_applied: { chain_id: null, token_symbol: null },
    });
    expect(data.transactions.map(({ amount }: { amount: string }) => amount)).toEqual(['5', '4']);
    const [, last] = await history(owner, owner.user_id, { limit: 2, offset: 4 });
    expect(last.data.pagination.has_more).toBe(false);
  });

  test('is filtered by chain and token', async () => {
    const [, { data }] = await history(owner, owner.user_id, {
      chain_id: 'sepolia',
      token_symbol: 'ETH',
    });
    expect(data).toMatchObject({
      transactions: [{ amount: '6', chain_id: 'sepolia' }],
      pagination: { total: 1, limit: 50, offset: 0, has_more: false },
      filters_applied: { chain_id: 'sepolia', token_symbol: 'ETH' },
    });
    const [, none] = await history(owner, owner.user_id, { token_symbol: 'USDC' });
    expect(none.data.transactions).toEqual([]);
  });

  test('is narrowed to a time, a status and a hash', async () => {
    const as = await h.user();
    const [wallet] = await walletOn(h, as, 'amoy');
    const logged = [];
    for (let n = 0; n < 4; n += 1) {
      logged.push(await log(as, wallet?.bw_id ?? 0, { amount: `${n + 1}` }));
      await h.advance(1);
    }
    const [, second, third] = logged;
    const amounts = async (query: Record<string, string | number>) => {
      const [status, { data }] = await history(as, as.user_id, query);
      expect(status).toBe(200);
      const { total, has_more } = data.pagination;
      return [data.transactions.map(({ amount }: { amount: string }) => amount), total, has_more];
    };
    const between = { created_from: second.created_at, created_to: third.created_at };
    expect(await amounts(between)).toEqual([['3', '2'], 2, false]);
    expect(await amounts({ ...between, limit: 1 })).toEqual([['3'], 2, true]);
    expect(await amounts({ ...between, chain_id: 'amoy' })).toEqual([['3', '2'], 2, false]);
    expect(await amounts({ status: 'PENDING' })).toEqual([[], 0, false]);
    expect(await amounts({ status: 'CONFIRMED', limit: 3 })).toEqual([['4', '3', '2'], 4, true]);
    const reference = second.tx_hash.toUpperCase().replace('X', 'x');
    expect(await amounts({ reference })).toEqual([['2'], 1, false]);
    expect(await amounts({ reference, created_from: third.created_at })).toEqual([[], 0, false]);
    const [, { data }] = await everything(as, as.user_id, between);
    expect(data.transactions.map(({ amount }: { amount: string }) => amount)).toEqual(['3', '2']);
    expect(data.pagination.has_more).toBe(false);
  });

  test('keeps its numbers where what was reported turns out to be a send of ours', async () => {
    const as = await h.user();
    const [wallet] = await walletOn(h, as, 'amoy');
    const ids: number[] = [];
    for (let n = 0; n < 4; n += 1)
      ids.push((await log(as, wallet?.bw_id ?? 0, { amount: `${n + 1}` })).id);
    await h.db
      .deleteFrom('onchain_transactions')
      .where('id', '=', ids[1] ?? 0)
      .execute();
    await log(as, wallet?.bw_id ?? 0, { amount: '5' });
    for (const read of [history, everything]) {
      const [, { data }] = await read(as, as.user_id, { limit: 2, offset: 2 });
      expect(data.transactions.map(({ amount }: { amount: string }) => amount)).toEqual(['3', '1']);
      expect(data.pagination.has_more).toBe(false);
    }
  });

  test('is walked no further than anybody reads, where only some are asked for', async () => {
    const deep = { offset: 10_001 };
    const [status, { error }] = await history(owner, owner.user_id, { ...deep, chain_id: 'amoy' });
    expect([status, error.code]).toEqual([400, 'INVALID_PAGINATION']);
    expect(error.message).toContain('created_to');
    expect((await history(owner, owner.user_id, deep))[0]).toBe(200);
  });

  test('repeats and leaves out nothing while others are added, page by page', async () => {
    const as = await h.user();
    const [wallet] = await walletOn(h, as, 'amoy');
    const own = wallet?.bw_id ?? 0;
    const ids: number[] = [];
    for (let i = 0; i < 6; i += 1) ids.unshift((await log(as, own)).id);
    const seen: number[] = [];
    let as_of: string | undefined;
    for (let offset = 0; offset < 6; offset += 2) {
      const [, { data }] = await history(as, as.user_id, {
        limit: 2,
        offset,
        ...(as_of === undefined ? {} : { as_of }),
      });
      as_of = data.pagination.as_of;
      expect(data.pagination.total).toBe(6);
      seen.push(...data.transactions.map(({ id }: { id: number }) => id));
      await h.advance(1);
      await log(as, own);
    }
    expect(seen).toEqual(ids);
  });

  test.each([
    ['INVALID_PAGINATION', { limit: 0 }],
    ['INVALID_PAGINATION', { limit: 101 }],
    ['INVALID_PAGINATION', { limit: 'ten' }],
    ['INVALID_PAGINATION', { offset: -1 }],
    ['INVALID_PAGINATION', { as_of: 'yesterday' }],
    ['INVALID_PAGINATION', { as_of: '0000-01-01T00:00:00Z' }],
    ['INVALID_PAGINATION', { as_of: '2026-12-31T23:59:60Z' }],
    ['VALIDATION_ERROR', { chain_id: 'base' }],
  ])('is refused with %s for %j', async (code, query) => {
    const answer = await history(owner, owner.user_id, query as Record<string, string>);
    expect(answer).toMatchObject([400, { success: false, error: { code } }]);
  });

  test('is read by the user and the admins of the client only', async () => {
    const admin = await h.user({ role: 'admin', client_id: owner.client_id });
    for (const as of [admin, await h.operator()])
      expect((await history(as, owner.user_id))[1].data.pagination.total).toBe(6);
    for (const as of [
      await h.user({ client_id: owner.client_id }),
      await h.user({ role: 'admin' }),
    ])
      for (const user_id of [owner.user_id, 999_999])
        expect(await history(as, user_id)).toMatchObject([
          403,
          { success: false, error: { code: 'ACCESS_DENIED' } },
        ]);
    expect((await history(owner, 'me'))[0]).toBe(400);
  });
});

describe('the details of a send', () => {
  const details = (as: Person, tx_hash: string) =>
    h.call('GET /onchain/details/{tx_hash}', { as, params: { tx_hash } });

  test('are for its owner, and for admins, who are told that they are', async () => {
    const { tx_hash, id } = await log(owner, bw_id, { amount: '7' });
    const admin = await h.user({ role: 'admin', client_id: owner.client_id });
    expect((await details(owner, tx_hash.toUpperCase().replace('X', 'x')))[1].data).toMatchObject({
      transaction: {
        id,
        user_id: owner.user_id,
        amount: '7',
        wallet_label: 'Test wallet (Polygon)',
      },
      requested_by: owner.user_id,
      access_level: 'owner',
    });
    expect((await details(admin, tx_hash))[1].data).toMatchObject({
      requested_by: admin.user_id,
      access_level: 'admin',
    });
    for (const as of [await h.user(), await h.user({ role: 'admin' })])
      expect(await details(as, tx_hash)).toMatchObject([
        404,
        { error: { code: 'TRANSACTION_NOT_FOUND' } },
      ]);
  });

  test.each(['0x12', 'f'.repeat(66), `0x${'g'.repeat(64)}`])('need a hash: %s', async (hash) => {
    expect(await details(owner, hash)).toMatchObject([400, { error: { code: 'INVALID_TX_HASH' } }]);
  });

  test('outlive the wallet', async () => {
    const as = await h.user();
    const [wallet] = await walletOn(h, as, 'amoy');
    const { tx_hash } = await log(as, wallet?.bw_id ?? 0);
    await h.call('POST /manual/wallets/crypto/{bw_id}/delete', {
      as,
      params: { bw_id: wallet?.bw_id ?? 0 },
      body: { confirmation: 'delete', user_id: as.user_id },
    });
    expect((await details(as, tx_hash))[1].data.transaction.wallet_name).toBe('Test wallet');
  });
});

describe('the history of everything', () => {
  test('has sends and transfers across chains in one list, newest first', async () => {
    const as = await h.user();
    const [wallet] = await walletOn(h, as, 'amoy');
    const begin = async () => {
      const body = {
        user_id: as.user_id,
        amount: '12.5',
        token: 'USDC',
        recipient_address: TO,
        from_chain: 'sepolia',
        to_chain: 'neon',
      };
      const [status, answer] = await h.call('POST /crosschain/initiate', { as, body });
      expect(status).toBe(200);
      return answer.data;
    };
    const first = await begin();
    await h.advance(1);
    const sent = await log(as, wallet?.bw_id ?? 0);
    await h.advance(1);
    const failed = await begin();
    await h.call('PATCH /crosschain/confirm', {
      as,
      body: { log_id: failed.log_id, tx_hash: `0x${'0'.repeat(64)}`, status: 'FAILED' },
    });
    const [status, { data }] = await everything(as, as.user_id, { limit: 2 });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      transactions: [
        {
          transaction_id: failed.log_id,
          nonce: failed.nonce,
          status: 'FAILED',
          amount: '12.5',
          token: 'USDC',
          from_chain: 'Ethereum',
          to_chain: 'Neon',
          is_crosschain: true,
          is_cancellable: false,
          recipient_address: TO,
        },
        {
          transaction_id: String(sent.id),
          transaction_type: 'ONCHAIN_SEND',
          nonce: null,
          from_chain: 'Polygon',
          to_chain: 'Polygon',
          status: 'CONFIRMED',
          tx_hash: sent.tx_hash,
          mint_tx_hash: null,
          is_crosschain: false,
        },
      ],
      pagination: { current_page: 1, per_page: 2, offset: 0, total_returned: 2, has_more: true },
      stats: {
        total_transactions: 3,
        completed_transactions: 1,
        pending_transactions: 1,
        success_rate: 33.33,
      },
    });
    const [, rest] = await everything(as, as.user_id, { limit: 2, offset: 2 });
    expect(rest.data).toMatchObject({
      transactions: [{ transaction_id: first.log_id, is_cancellable: true, status: 'INITIATED' }],
      pagination: { current_page: 2, total_returned: 1, has_more: false },
    });
  });

  test('is empty for a new user, and nobody’s business', async () => {
    const as = await h.user();
    expect((await everything(as, as.user_id))[1].data).toMatchObject({
      transactions: [],
      stats: { total_transactions: 0, success_rate: 0 },
    });
    expect(await everything(as, owner.user_id)).toMatchObject([
      404,
      { error: { code: 'USER_NOT_FOUND' } },
    ]);
    expect((await everything(as, as.user_id, { limit: 1000 }))[1].error.code).toBe(
      'INVALID_PAGINATION',
    );
  });
});
