import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { exchangeRates } from '#providers/fx/adapter.ts';
import { killWhereItHangs } from '#test/child.ts';
import { TEST_MNEMONIC } from '#test/evm.ts';
import { harness } from '#test/harness.ts';
import type { Orders } from '#test/onchain-child.ts';
import { fund, walletOn } from '#test/wallets.ts';
import { createSends } from './sends.ts';

const masterKey = `1:${randomBytes(32).toString('base64')}`;
const h = await harness({ masterKey });
await h.drain();
const { amoy } = h.app.evm.chains;
const rpcUrl = await amoy.url();
const fxUrl = `${h.app.sandboxUrl()}/fx`;
const fx = exchangeRates({ url: () => fxUrl, clock: h.clock });
const sends = createSends({ ...h.kernel, evm: h.app.evm, fx });

let serial = 0xc4a5;
async function order(hangs: Orders['hangs']): Promise<Orders> {
  const as = await h.user();
  const [address] = await walletOn(h, as, 'amoy');
  const { wallet_address } = address ?? { wallet_address: '' };
  await fund(h, 'amoy', wallet_address, 'native', '3');
  serial += 1;
  const to_address = `0x${serial.toString(16).padStart(40, '0')}`;
  const coin = { chain_id: 'amoy', token_symbol: 'POL', token_contract: 'native' } as const;
  return {
    ...{ hangs, masterKey, rpcUrl, fxUrl, mnemonic: TEST_MNEMONIC, dataDir: h.dataDir },
    databaseUrl: h.kernel.pool.options.connectionString ?? '',
    user_id: as.user_id,
    operation: randomUUID(),
    request: { ...coin, wallet_address, to_address, amount: '1' },
  };
}

const beginAndKill = (orders: Orders) => killWhereItHangs('onchain-child.ts', orders);

const received = async ({ request }: Orders) =>
  (await amoy.client()).getBalance({ address: request.to_address as `0x${string}` });
const logged = ({ user_id }: Orders) =>
  h.db.selectFrom('onchain_transactions').selectAll().where('user_id', '=', user_id).execute();

test.each(['written', 'sent', 'mined'] as const)(
  'a send whose process is killed when it is %s happens once, with or without a repetition',
  async (hangs) => {
    const [left, repeated] = [await order(hangs), await order(hangs)];
    await Promise.all([beginAndKill(left), beginAndKill(repeated)]);
    for (const orders of [left, repeated]) expect(await logged(orders)).toEqual([]);

    const again = () => sends.send(repeated.user_id, repeated.operation, repeated.request);
    const first = await again();
    const others = await Promise.all(Array.from({ length: 5 }, again));
    expect(new Set(others.map(({ log }) => log.id))).toEqual(new Set([first.log.id]));

    await h.advance(180);
    await h.drain();
    for (const orders of [left, repeated]) {
      expect(await received(orders)).toBe(10n ** 18n);
      const [log, ...more] = await logged(orders);
      expect(more).toEqual([]);
      expect(log).toMatchObject({ amount: '1', operation: orders.operation, platform_fee: '0.25' });
      const send = await h.db
        .selectFrom('onchain_sends')
        .selectAll()
        .where('operation', '=', orders.operation)
        .executeTakeFirst();
      expect(send).toMatchObject({ status: 'CONFIRMED', fee_status: 'PAID' });
    }
  },
);

test('attempts at the same send at once are one send', async () => {
  const orders = await order('mined');
  const attempt = () => sends.send(orders.user_id, orders.operation, orders.request);
  const ended = await Promise.all(Array.from({ length: 8 }, attempt));
  expect(new Set(ended.map(({ transaction }) => transaction.hash)).size).toBe(1);
  expect(await received(orders)).toBe(10n ** 18n);
  expect(await logged(orders)).toHaveLength(1);
});
