import { beforeEach, describe, expect, test } from 'vitest';
import { HOST_PAYEES, testBankHost } from '#test/bank-host.ts';
import { doneBy } from '#test/gateway.ts';
import { faultsOf, hashesOf } from '#test/iso20022/validate.ts';
import { failInserts } from '#test/sandbox.ts';
import { bankHost } from './adapter.ts';
import { pain001 } from './pain-001.ts';
import { HOST_CURRENCIES, hostAccountFault } from './port.ts';
import { hostAccountsOf } from './provider.ts';

const { bank, wish, raw, end, arm, sandbox, settings } = await testBankHost();
beforeEach(() => sandbox.control('DELETE /faults'));

const debtor = { ...settings.debtor, account: '8800000000' };
const all = { from: new Date(0), to: new Date(Date.now() + 86_400_000) };
const entries = async () => doneBy(await bank.statement(all)).lines;

test('the definitions that are kept are those of the listed sources', () => {
  expect(hashesOf()).toHaveLength(4);
  for (const [file, kept, listed] of hashesOf()) expect([file, kept]).toEqual([file, listed]);
});

describe.each(HOST_CURRENCIES)('a payment in %s', (currency) => {
  test('is a pain.001 by its definition, and ends settled by its EndToEndId', async () => {
    const payment = wish(currency, 50_000n);
    const { reference } = payment;
    expect(faultsOf('pain.001.001.09', pain001(payment, debtor, new Date()))).toEqual([]);
    const made = doneBy(await bank.createPayment(payment));
    expect(made).toMatchObject({ reference, status: 'PENDING', units: 50_000n });
    expect(made.id).not.toBe('');
    const open = await raw(`/iso20022/payments/status?endToEndId=${reference}`);
    expect(faultsOf('pain.002.001.10', open.text)).toEqual([]);
    await end(reference, 'complete');
    expect(doneBy(await bank.findPayment(reference))).toMatchObject({
      status: 'COMPLETED',
      units: 50_000n,
    });
    const reply = await raw(`/iso20022/notifications?endToEndId=${reference}`);
    expect(faultsOf('camt.054.001.08', reply.text)).toEqual([]);
    expect((await entries()).filter((one) => one.reference === reference)).toMatchObject([
      { kind: 'payout', asset: currency, units: -50_000n },
    ]);
  });
});

test('a payment that comes back is failed with the reason, and has two entries', async () => {
  const payment = wish('AUD');
  const { reference } = payment;
  await bank.createPayment(payment);
  await end(reference, 'complete');
  expect(await end(reference, 'return', 'AC04')).toMatchObject({ status: 200 });
  expect(doneBy(await bank.findPayment(reference))).toMatchObject({
    status: 'FAILED',
    failureCode: 'AC04',
  });
  const own = (await entries()).filter((one) => one.reference === reference);
  expect(own.map(({ kind, units }) => [kind, units])).toEqual([
    ['return', 12_345n],
    ['payout', -12_345n],
  ]);
  const reply = await raw('/iso20022/notifications');
  expect(faultsOf('camt.054.001.08', reply.text)).toEqual([]);
});

test('a payment that was accepted may be refused later', async () => {
  const payment = wish('INR');
  expect(doneBy(await bank.createPayment(payment)).status).toBe('PENDING');
  await end(payment.reference, 'reject', 'AM09');
  const found = doneBy(await bank.findPayment(payment.reference));
  expect(found).toMatchObject({ status: 'FAILED', failureCode: 'AM09' });
  expect(await end(payment.reference, 'complete')).toMatchObject({ status: 409 });
});

test.each([
  ['AC01', { to: { ...HOST_PAYEES.SGD, accountNumber: 'ABCD1' } }],
  ['AM04', { money: { asset: 'SGD' as const, units: 99_999_999_999_999n } }],
])('the bank’s %s is a failure with that code', async (failureCode, fields) => {
  const payment = { ...wish(), ...fields };
  expect(doneBy(await bank.createPayment(payment))).toMatchObject({
    status: 'FAILED',
    failureCode,
  });
  const { text } = await raw(`/iso20022/payments/status?endToEndId=${payment.reference}`);
  expect(faultsOf('pain.002.001.10', text)).toEqual([]);
});

describe('a repetition', () => {
  test('pays once, with its key and without', async () => {
    const payment = wish('USD');
    const first = doneBy(await bank.createPayment(payment));
    expect(doneBy(await bank.createPayment(payment))).toMatchObject({ status: first.status });
    const body = pain001(payment, debtor, new Date());
    const headers = { 'content-type': 'application/xml' };
    const again = await raw('/iso20022/payments', { method: 'POST', body, headers });
    expect(again.status).toBe(201);
    const path = (again.headers.get('location') ?? '').replace('/bank-host', '');
    const report = await raw(`${path}/status`);
    expect(report.text).toContain('<Cd>DU01</Cd>');
    expect(faultsOf('pain.002.001.10', report.text)).toEqual([]);
    await end(payment.reference, 'complete');
    expect((await entries()).filter((one) => one.reference === payment.reference)).toHaveLength(1);
  });

  test('pays after the bank died before it had stored the payment', async () => {
    const payment = wish('USD');
    const revive = await failInserts(sandbox.db, 'bank-host', 'order');
    expect((await bank.createPayment(payment)).kind).toBe('unknown');
    await revive();
    expect(doneBy(await bank.findPayment(payment.reference))).toBeUndefined();
    expect(doneBy(await bank.createPayment(payment)).status).toBe('PENDING');
  });

  test.each(['drop', 'commit-then-drop', 'error'])(
    'after %s is found or made, and paid once',
    async (kind) => {
      const payment = wish('VND', 500_000n);
      await arm(kind);
      expect((await bank.createPayment(payment)).kind).toBe('unknown');
      const found = doneBy(await bank.findPayment(payment.reference));
      expect(found === undefined).toBe(kind !== 'commit-then-drop');
      expect(doneBy(await bank.createPayment(payment)).status).toBe('PENDING');
      await end(payment.reference, 'complete');
      expect((await entries()).filter((one) => one.reference === payment.reference)).toHaveLength(
        1,
      );
    },
  );
});

test.each(['throttle', 'unauthorized', 'forbidden', 'maintenance', 'html', 'other-shape'])(
  'a bank that answers by %s has decided nothing',
  async (kind) => {
    const payment = wish();
    await arm(kind, { times: 3 });
    expect((await bank.createPayment(payment)).kind).toBe(
      kind === 'other-shape' ? 'done' : 'unknown',
    );
    expect((await bank.findPayment(payment.reference)).kind).toBe('unknown');
  },
);

test('a wrong key decides nothing, and an unknown payment is known to be none', async () => {
  const other = bankHost({ ...settings, key: 'other' });
  expect((await other.findPayment('NONE')).kind).toBe('unknown');
  expect(await bank.findPayment('NONE')).toEqual({ kind: 'done', value: undefined });
});

test('pages of entries end, and none is lost or shown twice', async () => {
  const { lines } = doneBy(await bank.statement(all));
  const found: string[] = [];
  for (let after = ''; ; ) {
    const { text, headers } = await raw(`/iso20022/notifications?limit=2${after}`);
    found.push(...[...text.matchAll(/<NtryRef>([^<]+)/g)].map(([, line = '']) => line));
    const next = /after=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
    if (next === undefined) break;
    after = `&after=${next}`;
  }
  expect(found.sort()).toEqual(lines.map(({ line }) => line).sort());
});

test.each([
  ['Tan Wei Ming', { result: 'MATCH' }],
  ['TAN, Wei-Ming', { result: 'MATCH' }],
  ['Tan Wei Min', { result: 'CLOSE_MATCH', suggestedName: 'Mr Tan Wei Ming' }],
  ['W Tan', { result: 'CLOSE_MATCH', suggestedName: 'Mr Tan Wei Ming' }],
  ['Lim Soo Kim', { result: 'NO_MATCH' }],
])('the holder is asked for as %s', async (name, check) => {
  await sandbox.control('POST /bank-host/holders', {
    account: '0721234567',
    name: 'Mr Tan Wei Ming',
  });
  expect(doneBy(await bank.verifyPayee('SGD', HOST_PAYEES.SGD, name))).toEqual(check);
});

test('a bank outside of the scheme verifies no name, and a wrong bank cannot be asked', async () => {
  await sandbox.control('POST /bank-host/holders', { account: '12345678', name: null });
  const { AUD } = HOST_PAYEES;
  const none = { result: 'NOT_POSSIBLE' };
  expect(doneBy(await bank.verifyPayee('AUD', AUD, 'Ruby Walker'))).toEqual(none);
  const other = { ...AUD, bankCode: 'DBSSSGSG' };
  expect(doneBy(await bank.verifyPayee('AUD', other, 'Ruby Walker'))).toEqual(none);
});

test.each([
  ['SGD', '7171001', '12345678', undefined],
  ['AUD', '062000', '12345678', undefined],
  ['USD', '021000021', '12-345 678', undefined],
  ['USD', '021000022', '12345678', 'bankCode'],
  ['INR', 'HDFCINBB', '12345678901', undefined],
  ['INR', 'HDFC1000001', '12345678901', 'bankCode'],
  ['VND', '970436', '12345678', 'bankCode'],
  ['VND', 'BFTVVNVX', '1/2', 'accountNumber'],
] as const)('an account in %s at %s with number %s', (currency, bankCode, accountNumber, fault) => {
  expect(hostAccountFault(currency, { bankCode, accountNumber })).toBe(fault);
});

test('the setting of accounts names each currency once', () => {
  const read = (BANK_HOST_ACCOUNTS: string) => hostAccountsOf({ BANK_HOST_ACCOUNTS });
  expect([...read('SGD:1234,USD:5678').keys()]).toEqual(['SGD', 'USD']);
  for (const wrong of ['EUR:1234', 'SGD:1234,SGD:5678']) expect(() => read(wrong)).toThrow(/once/);
});
