// Long: it loads a wallet's library.

import { BlockfrostProvider, MeshTxBuilder, MeshWallet } from '@meshsdk/core';
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

const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

async function wallet() {
  const provider = client();
  const key = { type: 'mnemonic', words: WORDS.split(' ') } as const;
  const made = new MeshWallet({ networkId: 0, fetcher: provider, submitter: provider, key });
  await made.init();
  return { provider, made, address: await made.getChangeAddress() };
}

test('Mesh reads the outputs and the coins of an address', async () => {
  await ledger.tap({ address: ELSEWHERE, asset: 'native', amount: '5' });
  const coins = [{ unit: 'lovelace', quantity: '5000000' }];
  const [output] = await client().fetchAddressUTxOs(ELSEWHERE);
  expect(output?.output).toMatchObject({ address: ELSEWHERE, amount: coins });
});

test('Mesh builds, signs and submits a payment with metadata, and finds it in its block', async () => {
  const { provider, made, address } = await wallet();
  await ledger.tap({ address, asset: 'native', amount: '50' });
  const builder = new MeshTxBuilder({ fetcher: provider, submitter: provider });
  const unsigned = await builder
    .txOut(ELSEWHERE, [{ unit: 'lovelace', quantity: '7000000' }])
    .metadataValue(674, { msg: ['Invoice 42'] })
    .changeAddress(address)
    .selectUtxosFrom(await provider.fetchAddressUTxOs(address))
    .complete();
  const hash = await made.submitTx(await made.signTx(unsigned));
  const info = await provider.fetchTxInfo(hash);
  expect(info.outputs[0]).toMatchObject({ address: ELSEWHERE });
  expect(await provider.fetchBlockInfo(info.block)).toMatchObject({ hash: info.block });
  expect(await provider.get(`/txs/${hash}/metadata`)).toEqual([
    { label: '674', json_metadata: { msg: ['Invoice 42'] } },
  ]);
  expect(await provider.fetchCostModels()).toHaveLength(3);
});

test('Mesh reads in the node’s own words that an output is spent', async () => {
  const { provider, made, address } = await wallet();
  await ledger.tap({ address, asset: 'native', amount: '50' });
  const from = (await provider.fetchAddressUTxOs(address)).slice(-1);
  const pay = async (lovelace: string) => {
    const builder = new MeshTxBuilder({ fetcher: provider, submitter: provider });
    const unsigned = await builder
      .txOut(ELSEWHERE, [{ unit: 'lovelace', quantity: lovelace }])
      .changeAddress(address)
      .selectUtxosFrom(from)
      .complete();
    return made.submitTx(await made.signTx(unsigned));
  };
  await pay('7000000');
  await expect(pay('7000001')).rejects.toThrow(/ValueNotConservedUTxO.*BadInputsUTxO/);
});
