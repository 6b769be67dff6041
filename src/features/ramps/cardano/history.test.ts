import { expect, test } from 'vitest';
import { rampUser } from '#test/cardano-ramps.ts';
import { harness } from '#test/harness.ts';

const h = await harness();
const DONE = 'SUCCESS_RECEIVED';

interface Step {
  readonly tx_type: string;
  readonly created_at: string;
  readonly reference_id: string;
  readonly details: { readonly order_id: string };
}

test('the history is narrowed to a time, a status, an order and a hash', async () => {
  const user = await rampUser(h);
  const [, first] = await user.ramp('wallet-mint-user');
  await h.advance(60);
  await user.give('USD', '100');
  const [, second] = await user.ramp('wallet-offramp-wallet');
  const read = async (query: Record<string, string | number> = {}): Promise<Step[]> =>
    (
      await h.send('GET /cardano/history/{user_id}', {
        as: user.as,
        params: { user_id: user.as.user_id },
        query,
      })
    ).body;
  const types = (steps: Step[]) => steps.map(({ tx_type }) => tx_type);
  const all = await read();
  expect(types(all)).toEqual(['TOPUP', 'BURN', 'MINT', 'WITHDRAW', 'MINT', 'WITHDRAW']);
  const [, , , earliest, latest] = all;
  expect(types(await read({ created_from: `${earliest?.created_at}` }))).toEqual(
    types(all.slice(0, 4)),
  );
  const before = { created_to: `${latest?.created_at}` };
  expect(types(await read(before))).toEqual(['MINT', 'WITHDRAW']);
  expect(types(await read({ ...before, limit: 1 }))).toEqual(['MINT']);
  for (const reference of [`${latest?.reference_id}`, `${latest?.details.order_id}`])
    expect(types(await read({ reference }))).toEqual(['MINT', 'WITHDRAW']);
  expect(types(await read({ reference: second.burnTx.txHash.toUpperCase() }))).toEqual(['BURN']);
  expect(types(await read({ reference: first.mintTx.txHash }))).toEqual(['MINT']);
  expect(await read({ reference: 'nothing of ours' })).toEqual([]);
  expect(types(await read({ status: DONE, limit: 2 }))).toEqual(['TOPUP', 'BURN']);
  expect(await read({ status: 'FAILED' })).toEqual([]);
});
