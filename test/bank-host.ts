import { bankHost } from '#providers/bank-host/adapter.ts';
import type { HostCurrency, HostPayment } from '#providers/bank-host/port.ts';
import { bankHostSimulator } from '#sandbox/providers/bank-host/simulator.ts';
import { newReference } from './gateway.ts';
import type { Harness } from './harness.ts';
import { testSandbox } from './sandbox.ts';

const KEY = 'test-bank-host-key';

/** An account that the sandbox's bank pays to, in each of its currencies. */
export const HOST_PAYEES: Readonly<Record<HostCurrency, HostPayment['to']>> = {
  SGD: { bankCode: 'DBSSSGSG', accountNumber: '0721234567', accountName: 'Tan Wei Ming' },
  AUD: { bankCode: '062-000', accountNumber: '12345678', accountName: 'Ruby Walker' },
  INR: { bankCode: 'HDFC0000001', accountNumber: '50100123456789', accountName: 'Asha Rao' },
  USD: { bankCode: '021000021', accountNumber: '000123456789', accountName: 'Grace Lee' },
  VND: { bankCode: 'BFTVVNVX', accountNumber: '0071001234567', accountName: 'Nguyễn Văn Đức' },
};

/** The bank's adapter and its simulator, over a real socket. */
export async function testBankHost() {
  const sandbox = await testSandbox(bankHostSimulator({ BANK_HOST_KEY: KEY }));
  const accounts = new Map(
    Object.keys(HOST_PAYEES).map((currency, at) => [currency as HostCurrency, `880000000${at}`]),
  );
  const settings = {
    url: () => `${sandbox.url}/bank-host`,
    key: KEY,
    clock: sandbox.clock,
    debtor: { name: 'Archipay', bic: 'ARCHSGSG' },
    accounts,
  };
  const wish = (currency: HostCurrency = 'SGD', units = 12_345n): HostPayment => ({
    reference: newReference('HOST'),
    money: { asset: currency, units },
    to: HOST_PAYEES[currency],
    description: 'Order 1',
  });
  const raw = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${KEY}`, ...init.headers };
    const reply = await fetch(`${settings.url()}${path}`, { ...init, headers });
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  };
  return {
    sandbox,
    settings,
    bank: bankHost(settings),
    wish,
    raw,
    end: (reference: string, end: 'complete' | 'reject' | 'return', reason?: string) =>
      sandbox.control(
        `POST /bank-host/payments/${reference}/${end}`,
        reason === undefined ? {} : { reason },
      ),
    arm: (kind: string, more: object = {}) =>
      sandbox.control('POST /faults', { provider: 'bank-host', kind, ms: 20, ...more }),
  };
}

/** An account there as a request names it. */
export function hostBank(currency: HostCurrency) {
  const { bankCode: bank_code, accountNumber: account_number, accountName } = HOST_PAYEES[currency];
  return { bank_name: 'A bank', bank_code, account_number, account_name: accountName };
}

/** The bank's next step with a payment. */
export const endAtHost = (
  h: Pick<Harness, 'sandbox'>,
  reference: string,
  how: 'complete' | 'reject' | 'return',
  reason?: string,
) =>
  h.sandbox(
    'POST',
    `/bank-host/payments/${reference}/${how}`,
    reason === undefined ? {} : { reason },
  );
