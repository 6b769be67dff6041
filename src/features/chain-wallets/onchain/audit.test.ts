import { expect, test } from 'vitest';
import { storiesOf } from '#src/app/operate/work-story.ts';
import { freshAddress } from '#test/crosschain.ts';
import { harness } from '#test/harness.ts';
import { until } from '#test/until.ts';
import { fund, walletOn } from '#test/wallets.ts';

const h = await harness();
const as = await h.user();
const [address] = await walletOn(h, as, 'amoy');
const { wallet_address } = address ?? { wallet_address: '' };
await fund(h, 'amoy', wallet_address, 'native', '3');

const noted = () =>
  h.db
    .selectFrom('activity_log')
    .selectAll()
    .where('subject_user_id', '=', as.user_id)
    .where('action', 'like', 'ONCHAIN%')
    .orderBy('id')
    .execute();
const order = (to_address: string, amount: string) => ({
  wallet_address,
  chain_id: 'amoy',
  token_symbol: 'POL',
  token_contract: 'native',
  to_address,
  amount,
});

test('who spends what is written down with the send, and how it and its fee have ended', async () => {
  const to = freshAddress();
  const headers = { 'idempotency-key': 'audited' };
  const body = order(to, '1');
  const [status, { data }] = await h.call('POST /onchain/execute', { as, body, headers });
  expect(status).toBe(201);
  await h.call('POST /onchain/execute', { as, body, headers });
  await until(h, async () => (await noted()).length >= 3);
  const [asked, executed, paid, ...more] = await noted();
  expect(more).toEqual([]);
  expect(asked).toMatchObject({
    action: 'ONCHAIN_SEND',
    actor_user_id: as.user_id,
    client_id: as.client_id,
    request_id: expect.any(String),
    ip: expect.any(String),
    details: {
      chain_id: 'amoy',
      wallet_address,
      token_symbol: 'POL',
      token_contract: 'native',
      destination: to,
      amount: '1',
      platform_fee: '0.25',
    },
  });
  const { tx_hash } = data.transaction;
  const { operation } = await h.db
    .selectFrom('onchain_sends')
    .select('operation')
    .where('user_id', '=', as.user_id)
    .executeTakeFirstOrThrow();
  const of = { operation, chain_id: 'amoy' };
  const nobody = { actor_user_id: null, client_id: as.client_id };
  const sent = { action: 'ONCHAIN_SEND_EXECUTED', ...nobody, details: { ...of, tx_hash } };
  expect(executed).toMatchObject(sent);
  const fee = { ...of, tx_hash: expect.not.stringMatching(tx_hash) };
  expect(paid).toMatchObject({ action: 'ONCHAIN_FEE_PAID', ...nobody, details: fee });
  expect(asked?.details).toMatchObject(of);
  const { kernel } = h;
  const [story] = await storiesOf(
    kernel,
    { effects: kernel.effects.kinds(), sources: [] },
    `platform-fee.onchain ${operation}`,
  );
  expect(story).toMatchObject({
    intent: { wallet_address, isDue: false },
    transactions: [{ hash: tx_hash }, { purpose: 'onchain fee' }],
  });
});

test('what is refused before it is begun is no spending', async () => {
  const before = await noted();
  const body = order(freshAddress(), '100');
  expect((await h.call('POST /onchain/execute', { as, body }))[0]).toBe(400);
  expect(await noted()).toEqual(before);
});
