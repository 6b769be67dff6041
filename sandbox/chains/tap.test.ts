import { expect, test } from 'vitest';
import { ELSEWHERE, testCardano } from '#test/cardano.ts';
import { tapOf } from './tap.ts';

const c = await testCardano();
const { chain } = c.cardano;
const never = { tokens: [], give: () => Promise.reject(new Error('It was given')) };
const wish = { address: ELSEWHERE, asset: 'native', amount: '1.5' } as const;

test('a faucet gives of its own chain alone, what there is there, and to addresses', async () => {
  const refusals = [
    [tapOf({ ...chain, isOwn: false }, never)(wish), 'CONFLICT'],
    [tapOf(chain, never)({ ...wish, asset: 'IDRT' }), 'VALIDATION_ERROR'],
    [tapOf(chain, never)({ ...wish, address: 'addr_test1' }), 'VALIDATION_ERROR'],
    [tapOf(chain, never)({ ...wish, amount: '0.0000001' }), 'VALIDATION_ERROR'],
  ] as const;
  for (const [tapped, code] of refusals) await expect(tapped).rejects.toMatchObject({ code });
  expect(await c.tap(wish)).toMatchObject({ balance: '1.500000' });
  expect(await c.cardano.holdings(ELSEWHERE)).toMatchObject({ value: { lovelace: 1_500_000n } });
});
