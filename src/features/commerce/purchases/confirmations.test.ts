import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { purchases } from '#test/purchases.ts';
import { fund } from '#test/wallets.ts';

const h = await harness({ config: { EVM_CONFIRMATIONS: '3' } });
const p = purchases(h);

test('a payment counts with its confirmations, and not before', async () => {
  const who = await p.buyer();
  const order_id = await p.ordered(who);
  const answer = p.execute(who, order_id);
  const journal = h.app.evm.chains.neon.sender;
  const paid = () => journal.find(`purchase:${order_id}:pay`);
  await expect.poll(async () => (await paid())?.status).toBe('CONFIRMED');
  // A node of our own takes no block back: what its monitor has looked at is final at once.
  const { status } = await p.row(order_id);
  const client = await h.app.evm.chains.neon.client();
  const head = await client.getBlockNumber();
  const payment = await paid();
  const depth = head - BigInt(payment?.block_number ?? 0) + 1n;
  const mayCount = depth >= 3n || payment?.is_final === true;
  expect({ early: status !== 'PAYING' && !mayCount }).toEqual({ early: false });
  // Each makes a block.
  await expect
    .poll(async () => {
      await fund(h, 'neon', who.wallet_address, 'native', '0.001');
      return (await p.row(order_id)).status;
    })
    .toBe('COMPLETED');
  expect((await answer)[0]).toBe(200);
});
