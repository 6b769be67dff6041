import fc from 'fast-check';
import { expect, it } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { nodesOf } from '#test/app-process.ts';
import { mover } from '#test/crosschain.ts';
import { type Harness, harness } from '#test/harness.ts';
import { fund, walletOn } from '#test/wallets.ts';
import { MINT_GAS } from './cost.ts';

/** A service with nodes of its own, and one for which they are somebody else's, whose coins are worth something. */
const near = await harness({ mock: false });
const far = await harness({ mock: false, config: await nodesOf(near) });

/** What a dollar buys of a coin, from now on. */
async function priced(h: Harness, currency: string, rate: string): Promise<void> {
  await h.sandbox('POST', '/fx/rates', { currency, rate });
  await h.advance(61);
}

const spentBy = async (h: Harness, user_id: number) => {
  const subject = `costs of cross-chain transfers by actor/60m user:${user_id}`;
  const text = 'select spent from budgets where subject = $1';
  return (await run<{ spent: number }>(h.db, text, [subject]))[0]?.spent ?? 0;
};

it('takes the contract’s minimum however dear gas is, and counts what the mint costs', async () => {
  const at = { amount: '1.00', to_chain: 'amoy' };
  expect((await mover(near, await near.user()).initiate(at))[0]).toBe(200);
  const counted: number[] = [];
  for (const rate of ['1000', '0.0004']) {
    await priced(far, 'POL', rate);
    const person = mover(far, await far.user());
    expect((await person.initiate(at))[0]).toBe(200);
    counted.push(await spentBy(far, person.as.user_id));
  }
  const [little = 0, much = 0] = counted;
  expect(little).toBeGreaterThan(0);
  expect(much).toBeGreaterThan(little);
});

it('counts at least what its mint takes, and no mint takes more gas than is counted', async () => {
  await priced(far, 'POL', '0.02');
  const as = await far.user();
  const [wallet] = await walletOn(far, as, 'sepolia');
  const address = wallet?.wallet_address ?? '';
  await fund(near, 'sepolia', address, 'native', '1');
  await fund(near, 'sepolia', address, 'USDC', '500');
  const person = mover(far, as);
  const relayer = far.app.evm.keys.relayer.address;
  const client = await far.app.evm.chains.amoy.client();
  let paid = 0;
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
  }
  await far.drain();
  expect(paid).toBeGreaterThan(0);
  // Millionths of a USDC.
  expect(await spentBy(far, as.user_id)).toBeGreaterThanOrEqual(paid * 1_000_000);
});

it('ends when what the platform pays for it is used up', async () => {
  // A coin of a million dollars: one mint is more than the platform pays in a day.
  await priced(far, 'POL', '0.000001');
  const { initiate } = mover(far, await far.user());
  const at = { amount: '1.00', to_chain: 'amoy' };
  expect((await initiate(at))[0]).toBe(200);
  expect(await initiate(at)).toMatchObject([429, { code: 'RATE_LIMITED' }]);
});
