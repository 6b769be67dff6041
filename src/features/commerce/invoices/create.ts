import { feeOf } from '#features/fiat/fees/fees.ts';
import {
  type Fiat,
  type FiatWallet,
  findFiatWallet,
  openWallet,
} from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import { moneyOf } from '#kernel/money/amount-fields.ts';
import { format, type Money } from '#kernel/money/money.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { namesGiven } from '#kernel/object-names/object-names.ts';
import type { InvoiceDeps } from './deps.ts';
import { emitInvoice } from './events.ts';
import type { InvoiceInput } from './input.ts';
import {
  type InvoiceItem,
  type InvoiceSplit,
  insertInvoice,
  type MerchantInvoice,
} from './store.ts';

/** A day. */
const EXPIRES_IN_S = 86_400;

interface Asked {
  readonly caller: Merchant;
  readonly body: InvoiceInput;
  /** The request's own id: what it makes is made once. */
  readonly operation: string;
  /** The link by which a payer has made it. */
  readonly link_id?: string;
}

type Merchant = Pick<UserCaller, 'user_id' | 'client_id'>;

/**
 * Asks for money, in the transaction of the caller. Throws WALLET_NOT_FOUND, CURRENCY_MISMATCH, AMOUNT_MISMATCH,
 * SAME_WALLET, and CONFLICT where the same request is under way.
 */
export async function createInvoice(
  { clock }: Pick<InvoiceDeps, 'clock'>,
  tx: Db,
  { caller, body, operation, link_id }: Asked,
): Promise<MerchantInvoice> {
  const amount = moneyOf(body);
  const items = itemsOf(body, amount);
  const wallet = await payeeWallet(tx, caller, body);
  const fee_bearer = body.fee_bearer ?? 'merchant';
  const fee = await feeOf(tx, {
    client_id: caller.client_id,
    rail: 'invoice',
    method: 'wallet',
    amount,
  });
  const splits = await splitsOf(tx, { caller, body, wallet, amount });
  requireRoom(splits, amount.units - (fee_bearer === 'merchant' ? fee.units : 0n));
  const invoice_id = newObjectUuid(clock.ms());
  const { customer } = body;
  const row = await insertInvoice(
    tx,
    {
      invoice_id,
      object_id: objectId('inv', invoice_id),
      operation,
      client_id: caller.client_id,
      user_id: caller.user_id,
      wallet_id: wallet.wallet_id,
      account_id: wallet.account_id,
      currency: amount.asset,
      amount: amount.units,
      description: body.description,
      customer: customer
        ? {
            name: customer.name ?? null,
            email: customer.email ?? null,
            phone: customer.phone ?? null,
          }
        : null,
      items,
      fee_bearer,
      allow_partial: body.allow_partial ?? false,
      link_id: link_id ?? null,
      methods: body.methods ?? null,
      return_url: body.return_url ?? null,
      recovery_url: body.recovery_url ?? null,
      expires_in_s: body.expires_in_s ?? EXPIRES_IN_S,
    },
    splits,
  );
  if (!row) throw fail('CONFLICT', 'The request is under way');
  const invoice = { ...row, splits, payments: [], names: namesGiven('invoice') };
  emitInvoice(tx, 'created', invoice);
  return invoice;
}

/** Throws AMOUNT_MISMATCH where the items do not add up. */
function itemsOf({ items = [], currency }: InvoiceInput, { units }: Money<Fiat>): InvoiceItem[] {
  const priced = items.map(({ name, quantity, unit_amount }, n) => {
    const price = moneyOf({ amount: unit_amount, currency }, `items[${n}].unit_amount`);
    return { name, quantity, price: price.units };
  });
  const sum = priced.reduce((total, { quantity, price }) => total + BigInt(quantity) * price, 0n);
  if (items.length > 0 && sum !== units)
    throw fail('AMOUNT_MISMATCH', 'The items do not add up to the amount', {
      details: {
        amount: format({ asset: currency, units }),
        items: format({ asset: currency, units: sum }),
        currency,
      },
    });
  return priced.map(({ price, ...item }) => ({ ...item, unit_amount: price.toString() }));
}

/** A wallet of the caller's own; where none is named, the one of that currency, which is opened. */
async function payeeWallet(
  tx: Db,
  { user_id }: Merchant,
  { wallet_id, currency }: InvoiceInput,
): Promise<FiatWallet> {
  if (wallet_id === undefined) return (await openWallet(tx, user_id, currency)).wallet;
  return walletIn(tx, { user_id }, wallet_id, currency);
}

async function walletIn(
  tx: Db,
  scope: Parameters<typeof findFiatWallet>[1],
  wallet_id: number,
  currency: Fiat,
): Promise<FiatWallet> {
  const wallet = await findFiatWallet(tx, scope, wallet_id);
  if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  if (wallet.currency !== currency)
    throw fail(
      'CURRENCY_MISMATCH',
      `The wallet is in ${wallet.currency}, the amount in ${currency}`,
    );
  return wallet;
}

interface Splitting {
  readonly caller: Merchant;
  readonly body: InvoiceInput;
  readonly wallet: FiatWallet;
  readonly amount: Money<Fiat>;
}

/** Wallets of people of the same client, each once; a percentage is rounded down. */
async function splitsOf(
  tx: Db,
  { caller, body: { split = [], currency }, wallet, amount }: Splitting,
): Promise<InvoiceSplit[]> {
  const parts: InvoiceSplit[] = [];
  for (const [position, { wallet_id, amount: part, percent, reference }] of split.entries()) {
    const field = `split[${position}]`;
    if ((part === undefined) === (percent === undefined))
      throw wrongField(field, 'must have exactly one of amount and percent');
    const { account_id } = await walletIn(tx, { client_id: caller.client_id }, wallet_id, currency);
    const bps = percent === undefined ? null : bpsOf(percent);
    const units =
      bps === null
        ? moneyOf({ amount: part ?? '', currency }, `${field}.amount`).units
        : (amount.units * BigInt(bps)) / 10_000n;
    if (units === 0n) throw wrongField(field, 'is less than the smallest amount');
    parts.push({ position, wallet_id, account_id, amount: units, bps, reference });
  }
  const wallets = new Set([wallet.wallet_id, ...parts.map(({ wallet_id }) => wallet_id)]);
  if (wallets.size <= parts.length)
    throw fail('SAME_WALLET', 'Each wallet gets one part, and that of the invoice the rest');
  return parts;
}

/** `2.5` percent are 250. */
function bpsOf(percent: string): number {
  const [whole, fraction = ''] = percent.split('.');
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
}

/** What is split has to fit into what arrives. */
function requireRoom(splits: readonly InvoiceSplit[], net: bigint): void {
  const shared = splits.reduce((sum, { amount }) => sum + amount, 0n);
  if (splits.length > 0 && shared > net)
    throw wrongField('split', 'must not be more than what arrives after the fee');
}
