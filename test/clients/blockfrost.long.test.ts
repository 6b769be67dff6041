// Long: it loads the provider's own library.

import { BlockFrostAPI } from '@blockfrost/blockfrost-js';
import { expect, test } from 'vitest';
import { ELSEWHERE, testCardano } from '#test/cardano.ts';

const ledger = await testCardano();
const client = (projectId = 'test-project') =>
  new BlockFrostAPI({ projectId, customBackend: `${ledger.url}/cardano`, network: 'preprod' });
const { treasury, assetId } = await ledger.cardano.identity();

async function mint(reference: string): Promise<string> {
  const sent = await ledger.cardano.send({ reference, kind: 'mint', units: 5n, to: ELSEWHERE });
  if (sent.kind !== 'done') throw new Error(JSON.stringify(sent));
  return sent.value.hash;
}

test('blockfrost-js reads the newest block, an address and its outputs', async () => {
  await ledger.tap({ address: ELSEWHERE, asset: 'native', amount: '5' });
  const api = client();
  const newest = await api.blocksLatest();
  expect(newest.height).toBeGreaterThan(0);
  expect(await api.blocks(newest.hash)).toMatchObject({ height: newest.height });
  const { amount } = await api.addresses(ELSEWHERE);
  expect(amount).toEqual([{ unit: 'lovelace', quantity: '5000000' }]);
  const [output] = await api.addressesUtxos(ELSEWHERE);
  expect(await api.txs(output?.tx_hash ?? '')).toMatchObject({ hash: output?.tx_hash });
  const found = await api.addressesTransactions(ELSEWHERE);
  expect(found.map(({ tx_hash }) => tx_hash)).toEqual([output?.tx_hash]);
});

test('blockfrost-js reads a token, and its history from the oldest on', async () => {
  const [first, second] = [await mint('first'), await mint('second')];
  const api = client();
  expect(await api.assetsById(assetId)).toMatchObject({
    quantity: '10',
    mint_or_burn_count: 2,
    initial_mint_tx_hash: first,
    fingerprint: expect.stringMatching(/^asset1/),
  });
  const hashes = async (order?: 'asc' | 'desc') =>
    (await api.assetsHistory(assetId, order ? { order } : {})).map(({ tx_hash }) => tx_hash);
  expect(await hashes()).toEqual([first, second]);
  expect(await hashes('desc')).toEqual([second, first]);
  const { inputs } = await api.txsUtxos(second);
  expect(inputs[0]).toMatchObject({ address: treasury });
  expect(await api.epochsLatestParameters()).toMatchObject({ min_fee_a: 44 });
});

test('blockfrost-js sees what waits in the mempool, and it when it is full', async () => {
  await ledger.control('POST /cardano/mempool', { is_held: true, capacity: 1 });
  const hash = ledger.reopen({ waitMs: 200 }).send({ reference: 'waits', kind: 'mint', units: 5n });
  expect(await hash).toMatchObject({ kind: 'unknown' });
  const api = client();
  const [waiting] = await api.mempool();
  expect(await api.mempoolTx(waiting?.tx_hash ?? '')).toMatchObject({
    tx: { asset_mint_or_burn_count: 1 },
  });
  await expect(api.txs(waiting?.tx_hash ?? '')).rejects.toMatchObject({ status_code: 404 });
  const more = ledger.reopen({ waitMs: 200 }).send({ reference: 'more', kind: 'mint', units: 5n });
  expect(await more).toMatchObject({ kind: 'unknown' });
  const [, second = ''] = (await ledger.journalled('more', 'waits')) as string[];
  expect(second).toBe('SIGNED');
  await ledger.control('POST /cardano/mempool', { is_held: false });
  expect(await api.txs(waiting?.tx_hash ?? '')).toMatchObject({ hash: waiting?.tx_hash });
});

test('blockfrost-js reads the status of refusals', async () => {
  await expect(client('other').blocksLatest()).rejects.toMatchObject({ status_code: 403 });
  await expect(client().txs('0'.repeat(64))).rejects.toMatchObject({ status_code: 404 });
  await expect(client().txSubmit('84a300')).rejects.toMatchObject({ status_code: 400 });
  await expect(client().pools()).rejects.toMatchObject({ status_code: 400 });
  const banned = { provider: 'cardano', kind: 'refuse-with', status: 418 };
  await ledger.control('POST /faults', banned);
  await expect(client().blocksLatest()).rejects.toMatchObject({
    status_code: 418,
    error: 'Requested Banned',
  });
});
