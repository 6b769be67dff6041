import {
  openRecipientDetails,
  type PaidRecipient,
} from '#features/banking/recipients/recipients.ts';
import { fail } from '#kernel/error.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { keptName } from '#kernel/names.ts';
import type { SealedKind } from '#kernel/secrets/sealed.ts';
import { type BankAccount, GATEWAY_BANKS } from '#providers/gateway/port.ts';
import type { InvoiceRefund, NewInvoiceRefund } from './refund-store.ts';

const contextOf = (refund: string): string => `invoice-refund:${refund}`;

/** Sealed accounts that refunds go to. */
export const SEALED_REFUND_PAYEES: SealedKind = {
  what: 'accounts of refunds',
  text: `select sealed_payee as sealed, 'invoice-refund:' || object_id as context, null::bytea as mark
    from invoice_refunds where sealed_payee is not null`,
};

type KeptPayee = Pick<NewInvoiceRefund, 'sealed_payee' | 'payee_name' | 'payee_detail'>;

/** An account as the row keeps it: sealed, and what of it is shown. */
export const keptPayee = (
  { vault }: Pick<Kernel, 'vault'>,
  refund: string,
  account: BankAccount,
): KeptPayee => ({
  sealed_payee: vault.seal(JSON.stringify(account), contextOf(refund)),
  payee_name: account.accountName,
  payee_detail: `${account.bankCode} ****${account.accountNumber.slice(-4)}`,
});

export function payeeOfRefund(
  { vault }: Pick<Kernel, 'vault'>,
  { sealed_payee, object_id }: InvoiceRefund,
): BankAccount {
  if (sealed_payee === null) throw new Error(`Refund ${object_id} has no account`);
  return JSON.parse(vault.open(sealed_payee, contextOf(object_id))) as BankAccount;
}

/**
 * The account of a recipient of this moment. Throws RAIL_NOT_AVAILABLE, CURRENCY_MISMATCH, and RECIPIENT_UNAVAILABLE
 * within a day after the account was changed.
 */
export function accountOfRecipient(
  deps: Pick<Kernel, 'vault' | 'clock'>,
  recipient: PaidRecipient,
): BankAccount {
  const { kind, currency, name, usable_from } = recipient;
  if (kind !== 'bank')
    throw fail('RAIL_NOT_AVAILABLE', `A refund goes to a bank account, not to a ${kind}`);
  if (currency !== 'IDR')
    throw fail('CURRENCY_MISMATCH', `The recipient is paid in ${currency}, not in IDR`);
  if (new Date(usable_from) > deps.clock.now())
    throw fail(
      'RECIPIENT_UNAVAILABLE',
      'The account of the recipient was changed a short time ago',
      {
        details: { usable_from },
      },
    );
  const details = openRecipientDetails(deps, recipient);
  return {
    bankCode: String(details['bank_code']),
    accountNumber: String(details['account_number']),
    accountName: name,
  };
}

/** What a person types of an account, each as far as it is there. */
export interface TypedAccount {
  readonly bank_code?: string | undefined;
  readonly account_number?: string | undefined;
  readonly account_name?: string | undefined;
}

const NUMBER = /^\d(?:[ -]?\d){4,19}$/;
const NAME_MAX = 100;

/** The account that was typed; or the field that is missing or wrong. */
export function readRefundAccount(typed: TypedAccount): BankAccount | keyof TypedAccount {
  const bankCode = typed.bank_code?.trim().toUpperCase() ?? '';
  if (!Object.hasOwn(GATEWAY_BANKS, bankCode)) return 'bank_code';
  const number = typed.account_number?.trim() ?? '';
  if (!NUMBER.test(number)) return 'account_number';
  const accountName = keptName(typed.account_name ?? '') ?? '';
  if (!/\p{L}/u.test(accountName) || accountName.length > NAME_MAX) return 'account_name';
  return { bankCode, accountNumber: number.replace(/[ -]/g, ''), accountName };
}
