// Long: it loads the provider's own library.

import { BlockFrostAPI } from '@blockfrost/blockfrost-js';
import { expect, test } from 'vitest';
import { ELSEWHERE, testCardano } from '#test/cardano.ts';

const ledger = await testCardano();
const client = (projectId = 'test-project') =>
  new BlockFrostAPI({ projectId, customBackend: `${ledger.url}/cardano`, network: 'preprod' });

test('blockfrost-js reads the newest block, an address and its outputs', async () => {
  await ledger.tap({ address: ELSEWHERE, asset: 'native', amount: '5' });
  const api = client();
  expect((await api.blocksLatest()).height).toBeGreaterThan(0);
  const { amount } = await api.addresses(ELSEWHERE);
  expect(amount).toEqual([{ unit: 'lovelace', quantity: '5000000' }]);
  const [output] = await api.addressesUtxos(ELSEWHERE);
  expect(await api.txs(output?.tx_hash ?? '')).toMatchObject({ hash: output?.tx_hash });
});

test('blockfrost-js reads the status of refusals', async () => {
  await expect(client('other').blocksLatest()).rejects.toMatchObject({ status_code: 403 });
  await expect(client().txs('0'.repeat(64))).rejects.toMatchObject({ status_code: 404 });
});
