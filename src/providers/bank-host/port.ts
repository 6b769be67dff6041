import type { Money } from '#kernel/money/money.ts';
import type { BookPage, BookWindow } from '#kernel/reconciliation/rail.ts';
import type { Outcome } from '../../kernel/provider-call.ts';

/** The currencies that a bank pays by ISO 20022 files; rupiah go by the gateway. */
export const HOST_CURRENCIES = ['SGD', 'AUD', 'INR', 'USD', 'VND'] as const;
export type HostCurrency = (typeof HOST_CURRENCIES)[number];

/** How a bank is named in the country of a currency. */
export interface HostBanks {
  readonly country: string;
  /** Of the national code, beside which each bank may be named by its BIC. */
  readonly code?: {
    readonly title: string;
    readonly pattern: string;
    readonly example: string;
    /** Of ISO's external code list of clearing systems. */
    readonly system: string;
  };
}

export const HOST_BANKS: Readonly<Record<HostCurrency, HostBanks>> = {
  SGD: {
    country: 'SG',
    code: {
      title: 'Bank and branch code',
      pattern: '^\\d{7}$',
      example: '7171001',
      system: 'SGIBG',
    },
  },
  AUD: {
    country: 'AU',
    code: { title: 'BSB', pattern: '^\\d{3}-?\\d{3}$', example: '062-000', system: 'AUBSB' },
  },
  INR: {
    country: 'IN',
    code: {
      title: 'IFSC',
      pattern: '^[A-Z]{4}0[A-Z0-9]{6}$',
      example: 'HDFC0000001',
      system: 'INFSC',
    },
  },
  USD: {
    country: 'US',
    code: { title: 'Routing number', pattern: '^\\d{9}$', example: '021000021', system: 'USABA' },
  },
  VND: { country: 'VN' },
};

/** What an account number may look like, blanks and hyphens aside. */
const HOST_ACCOUNT = '^[0-9A-Za-z]{4,34}$';
/** ISO's own limit for what payer and bank call a payment by. */
export const HOST_REFERENCE_MAX = 35;

/** An account at a bank of the currency's country. */
export interface HostAccount {
  /** The bank's BIC, or its national code (`HOST_BANKS`). */
  readonly bankCode: string;
  readonly accountNumber: string;
}

export interface HostPayee extends HostAccount {
  readonly accountName: string;
}

export interface HostPayment {
  /** Ours, up to `HOST_REFERENCE_MAX` characters: the EndToEndId. A repeated request makes no second payment. */
  readonly reference: string;
  /** What arrives: the bank's charges are the payer's. */
  readonly money: Money<HostCurrency>;
  readonly to: HostPayee;
  /** For the payee, up to 140 characters. */
  readonly description: string;
}

export interface HostPaymentState {
  /** The bank's id of the order. */
  readonly id: string;
  readonly reference: string;
  /** The payee's bank may return money: FAILED may follow COMPLETED. */
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED';
  /** What the bank says that it pays, where it says so. */
  readonly units?: bigint;
  /** ISO's reason code, such as AC01. */
  readonly failureCode?: string;
}

/** Whether an account is in somebody's name. */
export interface PayeeCheck {
  readonly result: 'MATCH' | 'CLOSE_MATCH' | 'NO_MATCH' | 'NOT_POSSIBLE';
  /** The holder's name, with CLOSE_MATCH only. */
  readonly suggestedName?: string;
}

/** A bank that takes pain.001 and answers pain.002 and camt.054 over HTTPS; one account of ours for each currency. */
export interface BankHost {
  /** Those in which it has an account of ours. */
  readonly currencies: readonly HostCurrency[];
  createPayment(payment: HostPayment): Promise<Outcome<HostPaymentState>>;
  /** By EndToEndId; `done(undefined)` when the bank knows none. */
  findPayment(reference: string): Promise<Outcome<HostPaymentState | undefined>>;
  /** Verification of payee: a question, which may be asked again. */
  verifyPayee(
    currency: HostCurrency,
    account: HostAccount,
    name: string,
  ): Promise<Outcome<PayeeCheck>>;
  /** Its booked entries: kinds `payout` (negative), `return` (positive), and `credit` or `debit` for all others. */
  statement(window: BookWindow, after?: string): Promise<Outcome<BookPage>>;
}

const BIC = /^[A-Z]{4}([A-Z]{2})[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/** What in an account the bank could not pay to; undefined where it can be tried. */
export function hostAccountFault(
  currency: HostCurrency,
  { bankCode, accountNumber }: HostAccount,
): 'bankCode' | 'accountNumber' | undefined {
  if (hostBankOf(currency, bankCode) === undefined) return 'bankCode';
  return new RegExp(HOST_ACCOUNT).test(plainAccount(accountNumber)) ? undefined : 'accountNumber';
}

export const plainAccount = (typed: string): string => typed.replace(/[\s-]/g, '');

/** How the bank is named on the wire; undefined where the code is none of that country. */
export function hostBankOf(
  currency: HostCurrency,
  typed: string,
): { readonly bic: string } | { readonly system: string; readonly member: string } | undefined {
  const { country, code } = HOST_BANKS[currency];
  const name = typed.trim().toUpperCase();
  if (BIC.exec(name)?.[1] === country) return { bic: name };
  if (code === undefined || !new RegExp(code.pattern).test(name)) return undefined;
  if (code.system === 'USABA' && !isRoutingNumber(name)) return undefined;
  return { system: code.system, member: name.replace('-', '') };
}

/** The ninth digit checks the other eight. */
function isRoutingNumber(digits: string): boolean {
  const weights = [3, 7, 1];
  const sum = [...digits].reduce(
    (all, digit, at) => all + Number(digit) * (weights[at % 3] ?? 0),
    0,
  );
  return sum % 10 === 0;
}
