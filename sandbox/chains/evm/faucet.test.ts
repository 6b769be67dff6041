import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proveTokenBurn } from '#chains/evm/contracts/proofs.ts';
import type { ManagedChain } from '#chains/evm/network.ts';
import { type TestNetwork, testNetwork } from '#test/evm.ts';
import { createFaucet, type Faucet } from './faucet.ts';

describe('the faucet', () => {
  let test: TestNetwork;
  let chain: ManagedChain;
  let faucet: Faucet;
  const to = privateKeyToAccount(generatePrivateKey()).address;

  beforeAll(async () => {
    test = await testNetwork();
    chain = test.network.chains.neon;
    faucet = createFaucet(test.network.keys);
  });
  afterAll(() => test.close());

  it('answers when the coins and tokens are there, with the new balance', async () => {
    const coins = await faucet.give(chain, { to, asset: 'native', units: 10n ** 18n });
    expect(coins.balance).toBe(10n ** 18n);
    await faucet.give(chain, { to, asset: 'USDC', units: 5n });
    const more = await faucet.give(chain, { to, asset: 'USDC', units: 5n });
    expect(more.balance).toBe(10n);
    expect((await faucet.give(chain, { to, asset: 'IDRT', units: 7n })).balance).toBe(7n);
  });

  it('burns what an address holds, which is the proof that an off-ramp asks for', async () => {
    const hash = await faucet.burn(chain, { from: to, asset: 'IDRT', units: 7n });
    const { idr_token } = chain.contracts;
    const expected = { from: to, units: 7n, confirmations: 1 };
    expect(await proveTokenBurn(chain, idr_token, hash, expected)).toHaveProperty('proven');
    await expect(faucet.burn(chain, { from: to, asset: 'USDC', units: 11n })).rejects.toMatchObject(
      {
        kind: 'reverted',
        details: { errorName: 'ERC20: transfer amount exceeds balance' },
      },
    );
  });
});
