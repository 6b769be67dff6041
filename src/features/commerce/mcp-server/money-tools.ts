import { type Arguments, inQuotes, pays, reads, type Tool, word } from './tool.ts';

const FIRST_ASKS =
  'The first call moves nothing: it answers a confirmation to be shown to the person.';

interface WalletAnswer {
  readonly data: { readonly currency: string };
}
interface RecipientAnswer {
  readonly data: {
    readonly name: string;
    readonly kind: string;
    readonly currency: string;
    readonly details: { readonly account_number?: string; readonly address?: string };
  };
}
interface InvoiceAnswer {
  readonly data: {
    readonly amount: string;
    readonly refunded_amount: string;
    readonly currency: string;
    readonly description: string;
  };
}

const currencyOf = (about: Arguments): string => (about as unknown as WalletAnswer).data.currency;

/** The one of the four names of a receiver that was given. */
function receiverOf(given: Arguments): string {
  const to = (given['to'] ?? {}) as Readonly<Record<string, unknown>>;
  if (to['wallet_id'] !== undefined) return `wallet ${to['wallet_id']}`;
  if (to['user_id'] !== undefined) return `user ${to['user_id']}`;
  return inQuotes(String(to['email'] ?? to['phone'] ?? ''));
}

function recipientOf(about: Arguments): string {
  const { name, kind, currency, details } = (about as unknown as RecipientAnswer).data;
  const account = details.account_number ?? details.address;
  const ending = account === undefined ? '' : ` that ends in ${account.slice(-4)}`;
  return `${inQuotes(name)}, ${kind} account in ${currency}${ending}`;
}

function refundOf(given: Arguments, about: Arguments): string {
  const { currency, description, amount, refunded_amount } = (about as unknown as InvoiceAnswer)
    .data;
  const part =
    given['amount'] === undefined
      ? `all that is left of ${amount} ${currency} (${refunded_amount} given back before)`
      : `${word(given, 'amount')} ${currency}`;
  const place =
    given['recipient_id'] === undefined
      ? 'to where it came from'
      : `to the recipient ${word(given, 'recipient_id')}`;
  return `Give back ${part} of the invoice ${word(given, 'invoice_id')} for ${inQuotes(description)} ${place}`;
}

/**
 * Money in currencies: what is there, what happened, and what moves it. No tool takes a card number: a model, and all
 * that keeps its conversations, would have it.
 */
export const MONEY_TOOLS = {
  get_fiat_balance: reads('/wallets/fiat/{wallet_id}/balance', {
    description:
      "The balance of one of the person's wallets, now or at a moment of the past. What can be spent is `available`.",
  }),
  list_fiat_transactions: reads('/wallets/fiat/{wallet_id}/transactions', {
    description:
      'The statement of a wallet, newest first: each line has its amount, fee and the balance after it.',
  }),
  list_payments: reads('/payments', {
    description:
      "The person's payments of all kinds, newest first. A payment that is PENDING has not ended: look again, and never pay it a second time.",
    own: ['user_id'],
    without: ['client_id'],
  }),
  get_payment: reads('/payments/{payment_id}', {
    description: 'One payment: its status, amounts, fees and what it waits for.',
  }),
  list_bank_accounts: reads('/banklink/{user_id}/accounts', {
    description: 'The bank accounts that the person has linked, for top_up_from_bank.',
    own: ['user_id'],
  }),
  top_up_from_bank: pays('/banklink/topup', {
    description: `Takes money from the bank account that is linked to a wallet; it arrives when the bank has paid, and the bank can take it back. ${FIRST_ASKS}`,
    about: 'get_fiat_balance',
    asks: (given, about) =>
      `Take ${word(given, 'amount')} ${currencyOf(about)} from the linked bank account into wallet ${word(given, 'wallet_id')}`,
  }),
  send_money: pays('/wallets/fiat/transfers', {
    description: `Sends money from a wallet of the person to a wallet, a user, an e-mail address or a phone number. Cannot be undone once it is received. ${FIRST_ASKS}`,
    without: ['quote_id', 'split', 'claim_expires_in_s'],
    needs: ['to', 'amount'],
    about: 'get_fiat_balance',
    aboutBy: { wallet_id: 'from_wallet_id' },
    asks: (given, about) =>
      `Send ${word(given, 'amount')} ${currencyOf(about)} from wallet ${word(given, 'from_wallet_id')} to ${receiverOf(given)}`,
  }),
  list_recipients: reads('/recipients', {
    description:
      'Whom the person can pay out to: bank accounts and addresses that they have added themselves. Names were written by people.',
  }),
  get_recipient: reads('/recipients/{recipient_id}', {
    description: 'One recipient, with their account or address.',
  }),
  withdraw: pays('/wallets/fiat/{wallet_id}/withdrawals', {
    description: `Pays money out of a wallet to a recipient of list_recipients in the same currency. The fee comes on top. Cannot be undone once the bank has it. ${FIRST_ASKS}`,
    without: ['quote_id'],
    about: 'get_recipient',
    asks: (given, about) =>
      `Pay out ${word(given, 'amount')} from wallet ${word(given, 'wallet_id')} to ${recipientOf(about)}`,
  }),
  list_withdrawals: reads('/wallets/fiat/{wallet_id}/withdrawals', {
    description: 'The pay-outs of a wallet, newest first.',
  }),
  list_invoices: reads('/payment-gateway/invoices', {
    description: "The person's invoices, newest first. Descriptions were written by people.",
  }),
  get_invoice: reads('/payment-gateway/invoices/{invoice_id}', {
    description: 'One invoice: what is owed, paid and given back.',
  }),
  refund_invoice: pays('/payment-gateway/invoices/{invoice_id}/refunds', {
    description: `Gives money of a paid invoice back, a part or all that is left, with the reason. ${FIRST_ASKS}`,
    about: 'get_invoice',
    asks: refundOf,
  }),
} as const satisfies Readonly<Record<string, Tool>>;
