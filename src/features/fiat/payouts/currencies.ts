import { type AppError, fail, wrongField } from '#kernel/error.ts';
import { type Asset, format, type Money } from '#kernel/money/money.ts';
import type { PriceList } from '#kernel/money/price-list.ts';
import {
  HOST_BANKS,
  HOST_CURRENCIES,
  type HostCurrency,
  hostAccountFault,
} from '#providers/bank-host/port.ts';
import type { BankAccount } from '#providers/gateway/port.ts';

/** What banks are paid in: rupiah by the gateway, all others by the bank host. */
export type PayoutAsset = 'IDR' | HostCurrency;

export const hostCurrencyOf = (asset: string | undefined): HostCurrency | undefined =>
  HOST_CURRENCIES.find((one) => one === asset);

/** The house's account for the money that is at the provider which pays banks in that currency. */
export const payoutHouse = (asset: Asset): 'gateway' | 'bank-host' =>
  asset === 'IDR' ? 'gateway' : 'bank-host';

/** Throws AMOUNT_BELOW_MINIMUM for a payout, in units of IDR, that the gateway would not transfer. */
export function requireTransferable(
  prices: PriceList,
  { asset, units }: Money,
  field: string,
): void {
  const least = asset === 'IDR' ? prices('gateway.payout_least') : { asset, units: 1n };
  if (units >= least.units) return;
  const minimum = format(least);
  throw fail('AMOUNT_BELOW_MINIMUM', `A bank is paid at least ${minimum} ${asset}`, {
    details: { field, minimum, currency: asset },
    hint: `Send more, so that at least ${minimum} ${asset} arrive, or have a wallet credited instead.`,
  });
}

/** Throws PAYOUT_CURRENCY_UNAVAILABLE, before anything moves, where no provider pays the currency out. */
export function requirePayable(
  available: readonly PayoutAsset[],
  currency: string | undefined,
  field: string,
): PayoutAsset {
  const found = available.find((one) => one === currency);
  if (found === undefined) throw unavailable(available, currency, field);
  return found;
}

const unavailable = (
  available: readonly PayoutAsset[],
  currency: string | undefined,
  field: string,
): AppError => {
  const list = available.join(', ');
  return fail('PAYOUT_CURRENCY_UNAVAILABLE', `Banks are paid in ${list} only, not in ${currency}`, {
    details: { field, available: [...available] },
    hint: `Send ${field} ${list}, or have a wallet of that currency credited instead.`,
  });
};

/** A bank account as callers type it. */
export interface TypedBank {
  readonly bank_name: string;
  /** The bank's BIC or national code; without it the name is read as one. */
  readonly bank_code?: string;
  readonly account_number: string;
  readonly account_name: string;
}

/** The typed account at the provider that pays the currency. Throws VALIDATION_ERROR for one that it cannot pay to. */
export function payeeAtBank(asset: PayoutAsset, typed: TypedBank, field: string): BankAccount {
  const { account_number: accountNumber, account_name: accountName } = typed;
  const code = (typed.bank_code ?? typed.bank_name).trim().toUpperCase();
  if (asset === 'IDR') return { bankCode: code.replace(/^BANK /, ''), accountNumber, accountName };
  const fault = hostAccountFault(asset, { bankCode: code, accountNumber });
  if (fault === 'accountNumber')
    throw wrongField(`${field}.account_number`, 'must have 4 to 34 letters and digits');
  if (fault === 'bankCode')
    throw wrongField(`${field}.bank_code`, `must be ${bankNamesOf(asset)} for ${asset}`);
  return { bankCode: code, accountNumber, accountName };
}

function bankNamesOf(asset: HostCurrency): string {
  const { country, code } = HOST_BANKS[asset];
  const bic = `the BIC of a bank in ${country}`;
  return code ? `${bic}, or its ${code.title} such as ${code.example},` : bic;
}
