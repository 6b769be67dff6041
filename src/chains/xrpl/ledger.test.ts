import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client, ECDSA, getBalanceChanges, type Payment, type TrustSet, Wallet } from 'xrpl';
import { doneBy, testLedger } from '#test/xrpl.ts';
import { USDC_CODE } from './currency.ts';

const { sandbox, network, url } = await testLedger();
const client = new Client(url);
beforeAll(() => client.connect());
afterAll(() => client.disconnect());

const fund = (address: string, amount = '100') =>
  sandbox.control('POST /faucet', { chain: 'xrpl', address, asset: 'native', amount });

/** Submits; the sandbox's ledger closes at once, so there is nothing to wait for. */
async function made(tx: Payment | TrustSet, wallet: Wallet) {
  const { tx_json } = (await client.submit(tx, { autofill: true, wallet })).result;
  const transaction = (tx_json as { hash?: string }).hash ?? '';
  return (await client.request({ command: 'tx', transaction })).result;
}

/** Somebody with an account and, if wished, a trust line that they have signed themselves. */
async function person(limit?: string) {
  const wallet = Wallet.generate();
  await fund(wallet.address);
  const { issuer } = doneBy(await network.prepare());
  const trust: TrustSet = {
    TransactionType: 'TrustSet',
    Account: wallet.address,
    LimitAmount: { currency: USDC_CODE, issuer, value: limit ?? '0' },
  };
  if (limit) await made(trust, wallet);
  return { wallet, issuer, address: wallet.address };
}
const usdc = (issuer: string, value: string) => ({ currency: USDC_CODE, issuer, value });
const payment = (from: Wallet, to: string, Amount: Payment['Amount']): Payment => ({
  TransactionType: 'Payment',
  Account: from.address,
  Destination: to,
  Amount,
});

test('a client that is not ours pays, trusts and reads as on the real network', async () => {
  const { issuer } = doneBy(await network.prepare());
  const [ada, bob] = [await person('1000'), await person('1000')];
  const given = await sandbox.control('POST /faucet', {
    chain: 'xrpl',
    address: ada.address,
    asset: 'USDC',
    amount: '250.500001',
  });
  expect(given).toMatchObject({ status: 200, body: { balance: '250.500001' } });
  const sent = payment(ada.wallet, bob.address, usdc(issuer, '100'));
  const result = await made(sent, ada.wallet);
  expect(result.validated).toBe(true);
  expect(result.meta).toMatchObject({
    TransactionResult: 'tesSUCCESS',
    delivered_amount: usdc(issuer, '100'),
  });
  const changes = getBalanceChanges(result.meta as never);
  expect(changes.find(({ account }) => account === bob.address)?.balances).toEqual([
    { currency: USDC_CODE, issuer, value: '100' },
  ]);
  const balances = await client.getBalances(ada.address);
  expect(balances).toContainEqual({ currency: USDC_CODE, issuer, value: '150.500001' });
  expect(Number(balances.find(({ currency }) => currency === 'XRP')?.value)).toBeLessThan(100);
});

test('what a submission says is not final, and says why there is no payment', async () => {
  const { issuer } = doneBy(await network.prepare());
  const [rich, poor] = [await person('1000'), await person()];
  await sandbox.control('POST /faucet', {
    chain: 'xrpl',
    address: rich.address,
    asset: 'USDC',
    amount: '10',
  });
  const codeOf = async (tx: Payment | TrustSet, wallet: Wallet, more: object = {}) => {
    const { tx_blob } = wallet.sign({ ...(await client.autofill(tx)), ...more });
    return (await client.submit(tx_blob)).result.engine_result;
  };
  const pay = (to: string, value: string, more: object = {}) =>
    codeOf(payment(rich.wallet, to, usdc(issuer, value)), rich.wallet, more);
  expect(await pay(poor.address, '1')).toBe('tecPATH_DRY');
  expect(await pay((await person('5')).address, '6')).toBe('tecPATH_PARTIAL');
  expect(await pay(issuer, '11')).toBe('tecPATH_PARTIAL');
  expect(await pay(Wallet.generate().address, '1')).toBe('tecNO_DST');
  expect(await pay(issuer, '1', { Sequence: 1 })).toBe('tefPAST_SEQ');
  expect(await pay(issuer, '1', { Sequence: 2 ** 31 })).toBe('terPRE_SEQ');
  expect(await pay(issuer, '1', { LastLedgerSequence: 5 })).toBe('tefMAX_LEDGER');
  expect(await pay(issuer, '1', { Fee: '9' })).toBe('telINSUF_FEE_P');
  expect(await pay(issuer, '1', { Flags: 0x0002_0000 })).toBe('temINVALID_FLAG');
  expect(await pay(issuer, '1')).toBe('tesSUCCESS');
  const xrp = (to: string, drops: string) => codeOf(payment(rich.wallet, to, drops), rich.wallet);
  expect(await xrp(Wallet.generate().address, '999999')).toBe('tecNO_DST_INSUF_XRP');
  expect(await xrp(poor.address, '99000000')).toBe('tecUNFUNDED_PAYMENT');
  const stranger = Wallet.generate(ECDSA.ed25519);
  expect(
    await codeOf(payment(stranger, issuer, '1'), stranger, { Sequence: 1 }).catch((e) => e.message),
  ).toMatch(/not found/i);
});

test('nobody signs for others, and nothing that was changed after it was signed counts', async () => {
  const [ada, eve] = [await person(), await person()];
  const filled = await client.autofill(payment(ada.wallet, eve.address, '1000000'));
  const other = eve.wallet.sign(filled).tx_blob;
  expect((await client.submit(other)).result.engine_result).toBe('tefBAD_AUTH');
  const { tx_blob } = ada.wallet.sign(filled);
  const changed = tx_blob.replace('40000000000F4240', '40000000001E8480');
  expect(changed).not.toBe(tx_blob);
  await expect(client.submit(changed)).rejects.toThrow(/Invalid signature/);
  await expect(client.request({ command: 'submit', tx_blob: '00FF' })).rejects.toThrow(
    /Invalid signature/,
  );
  expect((await client.submit(tx_blob)).result.engine_result).toBe('tesSUCCESS');
  expect((await client.submit(tx_blob)).result.engine_result).toBe('tefALREADY');
});

test('what others pay less than a millionth of keeps nobody from reading the books', async () => {
  const { issuer, platform } = doneBy(await network.prepare());
  const ada = await person('1000');
  await sandbox.control('POST /faucet', {
    chain: 'xrpl',
    address: ada.address,
    asset: 'USDC',
    amount: '1',
  });
  for (const value of ['0.0000005', '1e-12', '0.2500009'])
    await made(payment(ada.wallet, platform, usdc(issuer, value)), ada.wallet);
  const window = { from: new Date(0), to: new Date('2100-01-01') };
  const { lines } = doneBy(await network.statement(window));
  expect(lines.map(({ units }) => units)).toEqual([250_000n]);
  expect(doneBy(await network.balance())).toBe(250_001n);
  expect(doneBy(await network.roomOf(ada.address))).toEqual({
    units: 999_250_002n,
    needsTag: false,
  });
});

test('what is sent in many small coins keeps nobody from what came before them', async () => {
  const { platform } = doneBy(await network.prepare());
  const { wallet } = await person();
  const filled = await client.autofill(payment(wallet, platform, '1'));
  for (let n = 0; n < 201; n += 1) {
    const Sequence = (filled.Sequence ?? 0) + n;
    const LastLedgerSequence = (filled.LastLedgerSequence ?? 0) + 1000;
    const { tx_blob } = wallet.sign({ ...filled, Sequence, LastLedgerSequence });
    expect((await client.submit(tx_blob)).result.engine_result).toBe('tesSUCCESS');
  }
  const window = { from: new Date(0), to: new Date('2100-01-01') };
  const { lines, next } = doneBy(await network.statement(window));
  expect([lines.map(({ units }) => units), next]).toEqual([[250_000n], undefined]);
});

test('only the sandbox’s own callers get a WebSocket, and no page of a browser', async () => {
  const { WebSocket } = await import('ws');
  const refused = (address: string, headers: Record<string, string>) =>
    new Promise((resolve) => {
      const socket = new WebSocket(address, { headers });
      socket.on('error', () => resolve('refused'));
      socket.on('open', () => resolve('open'));
    });
  expect(await refused(url, { host: 'evil.example' })).toBe('refused');
  expect(await refused(url, { origin: 'http://localhost:1' })).toBe('refused');
  expect(await refused(url.replace('/xrpl', '/other'), {})).toBe('refused');
});
