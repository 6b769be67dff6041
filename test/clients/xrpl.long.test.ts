// Long: it loads the ledger's own library.

import { expect, test } from 'vitest';
import { AccountSetAsfFlags, Client, Wallet, xrpToDrops } from 'xrpl';
import { atEnd } from '#test/at-end.ts';
import { testLedger } from '#test/xrpl.ts';

const { sandbox, url } = await testLedger();
const client = new Client(url);
atEnd(() => client.disconnect());

const GENESIS = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const conditions = (wish: object) => sandbox.control('POST /xrpl/conditions', wish);

async function funded(): Promise<Wallet> {
  const wallet = Wallet.generate();
  const { address } = wallet;
  const gift = { chain: 'xrpl', address, asset: 'native', amount: '100' };
  expect((await sandbox.control('POST /faucet', gift)).status).toBe(200);
  return wallet;
}

test('xrpl.js reads the first account before any transaction', async () => {
  await client.connect();
  expect(Number(await client.getXrpBalance(GENESIS))).toBe(100_000_000_000);
  await expect(client.getXrpBalance('rNot')).rejects.toMatchObject({
    data: { error: 'actMalformed' },
  });
});

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

const issued = (issuer: Wallet, value: string) => ({
  currency: 'USD',
  issuer: issuer.address,
  value,
});

async function frozenIssuer() {
  const [issuer, holder, other] = [await funded(), await funded(), await funded()];
  const setFlag = (SetFlag: number) => ({
    TransactionType: 'AccountSet' as const,
    Account: issuer.address,
    SetFlag,
  });
  const ripple = setFlag(AccountSetAsfFlags.asfDefaultRipple);
  await client.submitAndWait(ripple, { wallet: issuer });
  for (const wallet of [holder, other])
    await client.submitAndWait(
      {
        TransactionType: 'TrustSet',
        Account: wallet.address,
        LimitAmount: issued(issuer, '1000'),
      },
      { wallet },
    );
  const pay = async (from: Wallet, to: Wallet, value: string) => {
    const { result } = await client.submitAndWait(
      {
        TransactionType: 'Payment',
        Account: from.address,
        Destination: to.address,
        Amount: issued(issuer, value),
      },
      { wallet: from },
    );
    return (result.meta as { TransactionResult: string }).TransactionResult;
  };
  const freeze = setFlag(AccountSetAsfFlags.asfGlobalFreeze);
  const freezeAll = () => client.submitAndWait(freeze, { wallet: issuer });
  return { issuer, holder, other, pay, freezeAll };
}

test('a global freeze lets tokens go back to their issuer, and nowhere else', async () => {
  await client.connect();
  const { issuer, holder, other, pay, freezeAll } = await frozenIssuer();
  expect(await pay(issuer, holder, '10')).toBe('tesSUCCESS');
  expect(await pay(holder, other, '1')).toBe('tesSUCCESS');
  await freezeAll();
  expect(await pay(holder, other, '1')).toBe('tecPATH_DRY');
  expect(await pay(holder, issuer, '1')).toBe('tesSUCCESS');
});

test('an account that wants a tag is paid with one only', async () => {
  await client.connect();
  const [from, to] = [await funded(), await funded()];
  const SetFlag = AccountSetAsfFlags.asfRequireDest;
  const set = { TransactionType: 'AccountSet' as const, Account: to.address, SetFlag };
  await client.submitAndWait(set, { wallet: to });
  const payment = {
    TransactionType: 'Payment' as const,
    Account: from.address,
    Destination: to.address,
    Amount: '1000000',
  };
  const blob = async (fields: object) => {
    const filled = await client.autofill({ ...payment, ...fields });
    return client.submit(from.sign(filled).tx_blob);
  };
  expect((await blob({ DestinationTag: 7 })).result.engine_result).toBe('tesSUCCESS');
  // The library itself would refuse it.
  const bare = await client.autofill({ ...payment, DestinationTag: 7 });
  const { DestinationTag: _, ...untagged } = bare;
  const { result } = await client.submit(from.sign(untagged).tx_blob);
  expect(result.engine_result).toBe('tecDST_TAG_NEEDED');
});

test('a payment below the open ledger’s fee waits in the queue until that falls', async () => {
  await client.connect();
  const [from, to] = [await funded(), await funded()];
  const payment = {
    TransactionType: 'Payment' as const,
    Account: from.address,
    Destination: to.address,
    Amount: '1000000',
  };
  const filled = await client.autofill({ ...payment, Fee: '12' });
  await conditions({ open_ledger_fee: 5000 });
  const { result } = await client.submit(from.sign(filled).tx_blob);
  expect(result).toMatchObject({ engine_result: 'terQUEUED', queued: true });
  expect(await client.getXrpBalance(to.address)).toBe(100);
  await conditions({});
  expect(await client.getXrpBalance(to.address)).toBe(101);
  await conditions({ open_ledger_fee: 5000, has_queue: false });
  const next = await client.autofill({ ...payment, Fee: '12' });
  const full = await client.submit(from.sign(next).tx_blob);
  expect(full.result.engine_result).toBe('telCAN_NOT_QUEUE_FULL');
  await conditions({});
});

test('a reserve that rises leaves less to spend', async () => {
  await client.connect();
  const [from, to] = [await funded(), await funded()];
  await conditions({ reserve_base: 99_000_000 });
  const { result } = await client.submitAndWait(
    {
      TransactionType: 'Payment',
      Account: from.address,
      Destination: to.address,
      Amount: '2000000',
    },
    { wallet: from },
  );
  expect(result.meta).toMatchObject({ TransactionResult: 'tecUNFUNDED_PAYMENT' });
  await conditions({});
});

test('xrpl.js follows closed ledgers while nothing happens, and reads one by its number', async () => {
  await client.connect();
  const closed = new Promise<{ ledger_index: number }>((resolve) => {
    client.once('ledgerClosed', resolve);
  });
  await client.request({ command: 'subscribe', streams: ['ledger'] });
  const { ledger_index } = await closed;
  const wanted = ledger_index - 1;
  const { result } = await client.request({ command: 'ledger', ledger_index: wanted });
  expect(result.ledger_index).toBe(wanted);
  await expect(
    client.request({ command: 'ledger', ledger_index: ledger_index + 1000 }),
  ).rejects.toMatchObject({ data: { error: 'lgrNotFound' } });
});
