import { afterAll, expect, test } from 'vitest';
import { Client, classicAddressToXAddress, type Payment, Wallet } from 'xrpl';
import { balanceByName, houseAccount } from '#kernel/ledger/accounts.ts';
import { bridgeBooks, bridger, readBridge } from '#test/bridge.ts';
import { type Body, harness } from '#test/harness.ts';
import { doneBy } from '#test/xrpl.ts';

const h = await harness({ mock: false });
const { xrpl } = h.app.providers;
const client = new Client(`${h.app.sandboxUrl().replace('http', 'ws')}/xrpl`);
await client.connect();
afterAll(() => client.disconnect());
const unit = (text: string) => BigInt(text.replace('.', ''));
const codeOf = ([status, body]: [number, Body]) => [status, body.error?.code ?? body.code];

/** Tokens at the platform's address, less what the books have of them. */
const unbooked = async () =>
  doneBy(await xrpl.balance()) + (await balanceByName(h.db, houseAccount('xrpl', 'USDC'))).posted;

async function trust(wallet: Wallet, value: string): Promise<void> {
  const { issuer, currency } = doneBy(await xrpl.prepare());
  const LimitAmount = { currency, issuer, value };
  const tx = { TransactionType: 'TrustSet', Account: wallet.address, LimitAmount } as const;
  await client.submit(tx, { autofill: true, wallet });
}

async function trusting(limit?: string): Promise<Wallet> {
  const wallet = Wallet.generate();
  await h.sandbox('POST', '/xrpl/trust-lines', { address: wallet.address });
  if (limit !== undefined) await trust(wallet, limit);
  return wallet;
}

test('what goes to the XRP Ledger carries the tag of its recipient', async () => {
  const person = await bridger(h, { usdc: '30' });
  const { address } = await trusting();
  const recipient_address = classicAddressToXAddress(address, 4_294_967_295, true);
  const made = await person.moved({ to_chain: 'xrpl', recipient_address });
  expect(made).toMatchObject({
    status: 'COMPLETED',
    recipient_address: address,
    recipient_tag: 4_294_967_295,
  });
  const send = made.steps.find(({ name }: Body) => name === 'send');
  const { result } = await client.request({ command: 'tx', transaction: send.hash });
  const paid = result.tx_json as unknown as Payment;
  expect([paid.Destination, paid.DestinationTag]).toEqual([address, 4_294_967_295]);
  expect(doneBy(await xrpl.roomOf(address))?.units).toBeDefined();
  expect(await unbooked()).toBe(0n);
  expect((await bridgeBooks(h)).owed).toBe(0n);
});

test('a recipient without a trust line, or with too small a one, gets no quote', async () => {
  const person = await bridger(h);
  const { address: none } = Wallet.generate();
  const to = { to_chain: 'xrpl', recipient_address: none };
  expect(codeOf(await person.quote(to))).toEqual([400, 'VALIDATION_ERROR']);
  const { address } = await trusting('10');
  expect(codeOf(await person.quote({ ...to, recipient_address: address }))).toEqual([
    400,
    'LIMIT_EXCEEDED',
  ]);
});

test('a trust line that is lowered meanwhile delays the payment, which comes once it is raised', async () => {
  const person = await bridger(h, { usdc: '30' });
  const wallet = await trusting('1000');
  const [, quoted] = await person.quote({ to_chain: 'xrpl', recipient_address: wallet.address });
  await trust(wallet, '1');
  const [, { data }] = await person.begin(quoted.data.quote_id);
  expect(data).toMatchObject({ status: 'SENDING', substatus: 'in_doubt' });
  expect((await bridgeBooks(h)).owed).toBe(unit(data.received));
  await trust(wallet, '1000');
  await h.advance(600);
  await h.drain();
  expect((await readBridge(h, data.bridge_transfer_id)).status).toBe('COMPLETED');
  expect((await bridgeBooks(h)).owed).toBe(0n);
  expect(await unbooked()).toBe(0n);
});
