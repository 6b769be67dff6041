import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { exchangeRates } from '#providers/fx/adapter.ts';
import { harness } from '#test/harness.ts';
import { until } from '#test/until.ts';
import { gate } from '#test/waiting.ts';
import { fund, walletOn } from '#test/wallets.ts';
import { createSends, type OnchainSendRequest } from './sends.ts';

/**
 * What sends promise where a process dies in the middle of one: holds, the log of the user, the fee. The
 * death is a call that never comes back, which leaves the same behind; that nothing more is needed of a
 * dead process is shown by the crash matrix of the effects and, of the journal, by `chains/evm`.
 */
const h = await harness();
await h.drain();
const { evm } = h.app;
const { amoy } = evm.chains;
const fxUrl = `${h.app.sandboxUrl()}/fx`;
const fx = exchangeRates({ url: () => fxUrl, clock: h.clock });
const sends = createSends({ ...h.kernel, evm, fx });

interface Order {
  readonly user_id: number;
  readonly operation: string;
  readonly request: OnchainSendRequest;
}

let serial = 0xc4a5;
async function order(): Promise<Order> {
  const as = await h.user();
  const [address] = await walletOn(h, as, 'amoy');
  const { wallet_address } = address ?? { wallet_address: '' };
  await fund(h, 'amoy', wallet_address, 'native', '3');
  serial += 1;
  const to_address = `0x${serial.toString(16).padStart(40, '0')}`;
  const coin = { chain_id: 'amoy', token_symbol: 'POL', token_contract: 'native' } as const;
  return {
    user_id: as.user_id,
    operation: randomUUID(),
    request: { ...coin, wallet_address, to_address, amount: '1' },
  };
}

/** Begins it, and lets it stay for ever where it says. */
async function beginAndDie({ user_id, operation, request }: Order, dies: Death): Promise<void> {
  const there = gate();
  const { sender } = amoy;
  const hanging: typeof sender = {
    ...sender,
    async execute(outgoing) {
      if (dies === 'sent') await sender.send(outgoing);
      const row = dies === 'mined' ? await sender.execute(outgoing) : undefined;
      await there.pass();
      return row ?? sender.execute(outgoing);
    },
  };
  const chains = { ...evm.chains, amoy: { ...amoy, sender: hanging } };
  void createSends({ ...h.kernel, evm: { ...evm, chains }, fx }).send(user_id, operation, request);
  await there.reached;
}

const received = async ({ request }: Order) =>
  (await amoy.client()).getBalance({ address: request.to_address as `0x${string}` });
const logged = ({ user_id }: Order) =>
  h.db.selectFrom('onchain_transactions').selectAll().where('user_id', '=', user_id).execute();

const feesOf = async (...orders: Order[]): Promise<(string | null)[]> => {
  const operations = orders.map(({ operation }) => operation);
  const query = h.db.selectFrom('onchain_sends').select('fee_status');
  const rows = await query.where('operation', 'in', operations).execute();
  return rows.map(({ fee_status }) => fee_status);
};

const DEATHS = ['written', 'sent', 'mined'] as const;
type Death = (typeof DEATHS)[number];

test.each(DEATHS)(
  'a send whose process dies when it is %s happens once, with or without a repetition',
  async (dies) => {
    const [left, repeated] = [await order(), await order()];
    await Promise.all([beginAndDie(left, dies), beginAndDie(repeated, dies)]);
    for (const orders of [left, repeated]) expect(await logged(orders)).toEqual([]);

    const again = () => sends.send(repeated.user_id, repeated.operation, repeated.request);
    const first = await again();
    const others = await Promise.all(Array.from({ length: 5 }, again));
    expect(new Set(others.map(({ log }) => log.id))).toEqual(new Set([first.log.id]));

    await h.advance(180);
    await until(h, async () => (await feesOf(left, repeated)).every((one) => one === 'PAID'));
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
  const orders = await order();
  const attempt = () => sends.send(orders.user_id, orders.operation, orders.request);
  const ended = await Promise.all(Array.from({ length: 8 }, attempt));
  expect(new Set(ended.map(({ transaction }) => transaction.hash)).size).toBe(1);
  expect(await received(orders)).toBe(10n ** 18n);
  expect(await logged(orders)).toHaveLength(1);
});
