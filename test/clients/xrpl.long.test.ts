// Long: it loads the ledger's own library.

import { expect, test } from 'vitest';
import { Client, Wallet, xrpToDrops } from 'xrpl';
import { atEnd } from '#test/at-end.ts';
import { testLedger } from '#test/xrpl.ts';

const { sandbox, url } = await testLedger();
const client = new Client(url);
atEnd(() => client.disconnect());

async function funded(): Promise<Wallet> {
  const wallet = Wallet.generate();
  const { address } = wallet;
  const gift = { chain: 'xrpl', address, asset: 'native', amount: '100' };
  expect((await sandbox.control('POST /faucet', gift)).status).toBe(200);
  return wallet;
}

test('xrpl.js pays, and the receiver has it', async () => {
  const [from, to] = [await funded(), await funded()];
  await client.connect();
  const { result } = await client.submitAndWait(
    {
      TransactionType: 'Payment',
      Account: from.address,
      Destination: to.address,
      Amount: xrpToDrops(5),
    },
    { wallet: from },
  );
  expect(result.meta).toMatchObject({ TransactionResult: 'tesSUCCESS' });
  expect(await client.getXrpBalance(to.address)).toBe(105);
});

test('xrpl.js reads the error of an account that does not exist', async () => {
  await client.connect();
  await expect(client.getXrpBalance(Wallet.generate().address)).rejects.toMatchObject({
    data: { error: 'actNotFound' },
  });
});
