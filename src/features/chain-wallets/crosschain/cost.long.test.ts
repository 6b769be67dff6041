import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { nodesOf } from '#test/app-process.ts';
import { mover } from '#test/crosschain.ts';
import { type Harness, harness } from '#test/harness.ts';
import { fund, walletOn } from '#test/wallets.ts';
import { MINT_GAS } from './cost.ts';
import { platformFee, TRANSFER_LIMITS, whereFeeIs } from './terms.ts';

/** A service with nodes of its own, and one for which they are somebody else's, whose coins are worth something. */
const near = await harness({ mock: false });
const far = await harness({ mock: false, config: await nodesOf(near) });

/** What a dollar buys of a coin, from now on. */
async function priced(h: Harness, currency: string, rate: string): Promise<void> {
  await h.sandbox('POST', '/fx/rates', { currency, rate });
  await h.advance(61);
}

const spentBy = async (h: Harness, user_id: number) => {
  const subject = `costs of cross-chain transfers by user:${user_id}`;
  const text = 'select spent from budgets where subject = $1';
  return (await run<{ spent: number }>(h.db, text, [subject]))[0]?.spent ?? 0;
};

test('the least amount is the least whose fee pays for a cost, whatever the cost', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 20_000_000n }), (cost) => {
      const least = whereFeeIs(cost);
      const feeOf = (units: bigint) => platformFee({ asset: 'USDC', units }).units;
      expect(feeOf(least)).toBeGreaterThanOrEqual(cost);
      if (least > TRANSFER_LIMITS.least) expect(feeOf(least - 1n)).toBeLessThan(cost);
      else expect(least).toBe(TRANSFER_LIMITS.least);
    }),
  );
});

it('takes the contract’s minimum where the coins are worth nothing, or little', async () => {
  const at = { amount: '1.00', to_chain: 'amoy' };
  expect((await mover(near, await near.user()).initiate(at))[0]).toBe(200);
  await priced(far, 'POL', '1000');
  const person = mover(far, await far.user());
  expect((await person.initiate(at))[0]).toBe(200);
  expect(await spentBy(far, person.as.user_id)).toBeGreaterThan(0);
});

it('refuses an amount whose fee is less than the mint costs now, and names the least', async () => {
  const { as, initiate } = mover(far, await far.user());
  const to_chain = 'amoy';
  // Gas at about a gwei: a coin of 2,500 dollars makes a mint dearer than 0.10.
  await priced(far, 'POL', '0.0004');
  const [status, body] = await initiate({ amount: '1.00', to_chain });
  expect([status, body]).toMatchObject([
    400,
    {
      code: 'AMOUNT_BELOW_MINIMUM',
      error: expect.stringMatching(/^Minimum transfer amount is [\d.,]+ USDC$/),
      hint: expect.stringContaining('amoy'),
      details: { field: 'amount', minimum: expect.any(String), currency: 'USDC' },
    },
  ]);
  expect(await spentBy(far, as.user_id)).toBe(0);
  const enough = (Number(body.details.minimum) * 1.5).toFixed(6);
  expect((await initiate({ amount: enough, to_chain }))[0]).toBe(200);
  // So dear that no fee would pay for it.
  await priced(far, 'POL', '0.000001');
  expect(await initiate({ amount: '10000', to_chain })).toMatchObject([
    ...[503, { code: 'PROVIDER_UNAVAILABLE' }],
  ]);
});

it('is paid for its gas by the fee of every amount that is taken, and no mint takes more gas than that', async () => {
  await priced(far, 'POL', '0.02');
  const as = await far.user();
  const [wallet] = await walletOn(far, as, 'sepolia');
  const address = wallet?.wallet_address ?? '';
  await fund(near, 'sepolia', address, 'native', '1');
  await fund(near, 'sepolia', address, 'USDC', '500');
  const person = mover(far, as);
  const relayer = far.app.evm.keys.relayer.address;
  const client = await far.app.evm.chains.amoy.client();
  let [taken, paid] = [0, 0];
  for (const cents of fc.sample(fc.integer({ min: 100, max: 3_000 }), { numRuns: 5, seed: 39 })) {
    const [status, { data }] = await person.initiate({ amount: (cents / 100).toFixed(2) });
    if (status !== 200) continue;
    expect((await person.burn(data))[0]).toBe(200);
    const before = await client.getBalance({ address: relayer });
    expect((await person.mint(data))[0]).toBe(200);
    const [, { data: told }] = await person.details(data);
    const receipt = await client.getTransactionReceipt({ hash: told.transaction.mint_tx_hash });
    expect(receipt.gasUsed).toBeLessThanOrEqual(MINT_GAS.BRIDGE);
    const spent = before - (await client.getBalance({ address: relayer }));
    // 50 dollars for a coin.
    paid += Number(spent) * 50e-18;
    taken += Number(data.platform_fee);
  }
  await far.drain();
  expect(taken).toBeGreaterThan(0);
  expect(taken).toBeGreaterThanOrEqual(paid);
});
