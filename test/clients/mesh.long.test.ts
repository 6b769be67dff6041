// Long: it loads a wallet's library.

import { BlockfrostProvider } from '@meshsdk/core';
import { expect, test } from 'vitest';
import { ELSEWHERE, testCardano } from '#test/cardano.ts';

const ledger = await testCardano();

/** To an address of one's own the library sends no project. */
function client() {
  const provider = new BlockfrostProvider(`${ledger.url}/cardano`);
  const { defaults } = provider['_axiosInstance'];
  defaults.headers.common['project_id'] = 'test-project';
  return provider;
}

test('Mesh reads the outputs and the coins of an address', async () => {
  await ledger.tap({ address: ELSEWHERE, asset: 'native', amount: '5' });
  const coins = [{ unit: 'lovelace', quantity: '5000000' }];
  const [output] = await client().fetchAddressUTxOs(ELSEWHERE);
  expect(output?.output).toMatchObject({ address: ELSEWHERE, amount: coins });
});
