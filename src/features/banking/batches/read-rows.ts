import { type ChargedFee, feesOf } from '#features/fiat/fees/fees.ts';
import { type Payouts, payoutHouse, requireTransferable } from '#features/fiat/payouts/payouts.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError } from '#kernel/error.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { usedReferences } from '#kernel/object-names/claims-store.ts';
import { sealItemPayee } from './item-payee.ts';
import type { NewItem } from './items-store.ts';
import { type BatchPayee, type PayeeDeps, type PayingWallet, payeesOf } from './payees.ts';
import { sharesOfQuote } from './quoted.ts';
import type { RowError } from './store.ts';
import { RowErrors, type SentRow, type TypedRow, typedRow, WrongRow } from './typed-rows.ts';

/** The kind of thing that a line's reference is unique for. */
export const ITEM_KIND = 'batch_item';

export interface RowDeps extends PayeeDeps, Pick<Kernel, 'clock' | 'prices'> {
  readonly payouts: Pick<Payouts, 'requireRail'>;
}

/** What lines come to: those that can be paid, and what is wrong with the others. */
export interface ReadRows {
  readonly items: readonly NewItem[];
  readonly errors: readonly RowError[];
  /** What leaves the wallet beside the fees. */
  readonly total: bigint;
  readonly fees: bigint;
  /** What arrives by the quote. */
  readonly received: bigint | null;
}

interface Reading {
  readonly from: PayingWallet;
  /** The id of the batch: references that are left out are made of it. */
  readonly batch: string;
}

/** Checks all lines; the bad ones are listed by their numbers. */
export async function readRows(
  deps: RowDeps,
  db: Db,
  { from, batch }: Reading,
  sent: readonly SentRow[],
): Promise<ReadRows> {
  const errors = new RowErrors();
  const typed = sent.flatMap(
    (row) => caught(errors, row.line, () => typedRow(row, from.pays)) ?? [],
  );
  const rows = await withOwnReferences(db, from, typed, errors);
  const payees = await payeesOf(deps, db, { from, rows }, errors);
  const charged = await chargesOf(db, from);
  const rail = railCheck(deps, from);
  const leaves = leavesOf(from);
  const items = rows.flatMap((row) => {
    const payee = payees.get(row.line);
    if (!payee) return [];
    if ('bank' in payee.to && !caught(errors, row.line, () => rail(row.units))) return [];
    const share = caught(errors, row.line, () => leaves(row.units));
    if (!share) return [];
    return itemOf(deps, { row, payee, batch, from, share, fee: charged(payee, share.amount) });
  });
  return {
    items,
    errors: errors.sorted(),
    total: items.reduce((sum, { amount }) => sum + amount, 0n),
    fees: items.reduce((sum, { fee }) => sum + fee, 0n),
    received: from.quote
      ? items.reduce((sum, { received_amount }) => sum + (received_amount ?? 0n), 0n)
      : null,
  };
}

function caught<T>(errors: RowErrors, line: number, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof WrongRow) errors.add(line, error.field, error.message);
    else if (error instanceof AppError)
      errors.add(line, 'amount', `${error.code}: ${error.message}`);
    else throw error;
    return undefined;
  }
}

/** Without those whose reference another line, or a payment of before, has. */
async function withOwnReferences(
  db: Db,
  { client_id }: PayingWallet,
  rows: readonly TypedRow[],
  errors: RowErrors,
): Promise<TypedRow[]> {
  const named = rows.flatMap(({ reference }) => reference ?? []);
  const used = await usedReferences(db, { client_id, kind: ITEM_KIND }, named);
  const seen = new Map<string, number>();
  return rows.filter(({ line, reference }) => {
    if (reference === undefined) return true;
    const before = seen.get(reference);
    if (before !== undefined) errors.add(line, 'reference', `is that of line ${before}, too`);
    else if (used.has(reference))
      errors.add(line, 'reference', 'REFERENCE_IN_USE: A payment of another batch has it');
    else seen.set(reference, line);
    return seen.get(reference) === line;
  });
}

/** Fees by the rows of this moment: banks and wallets have one each. */
async function chargesOf(db: Db, { client_id, currency }: PayingWallet) {
  const of = { client_id, rail: 'batch' as const, currency };
  const bank = await feesOf(db, { ...of, method: 'bank' });
  const wallet = await feesOf(db, { ...of, method: 'wallet' });
  return ({ to }: BatchPayee, units: bigint): ChargedFee => ('bank' in to ? bank : wallet)(units);
}

/** Throws where no bank is paid in the currency, or not so little. */
const railCheck =
  ({ payouts, prices }: RowDeps, { pays: currency }: PayingWallet) =>
  (units: bigint): true => {
    payouts.requireRail(currency);
    if (currency === 'IDR' && units % RUPIAH !== 0n)
      throw new WrongRow('amount', 'must be whole rupiah: banks transfer no cents');
    requireTransferable(prices, { asset: currency, units }, 'amount');
    return true;
  };

const RUPIAH = 100n;

type Share = ReturnType<ReturnType<typeof sharesOfQuote>>;

/** What leaves the wallet for what arrives: by a quote a share of what it sells. */
function leavesOf({ quote, currency }: PayingWallet): (units: bigint) => Share {
  if (!quote) return (amount) => ({ amount, fee: 0n });
  const share = sharesOfQuote(quote);
  return (units) => {
    const taken = share(units);
    if (taken.amount > 0n) return taken;
    throw new WrongRow('amount', `AMOUNT_BELOW_MINIMUM: It comes to nothing in ${currency}`);
  };
}

interface Line extends Reading {
  readonly row: TypedRow;
  readonly payee: BatchPayee;
  readonly share: Share;
  readonly fee: ChargedFee;
}

function itemOf(deps: RowDeps, { row, payee, batch, from, share, fee }: Line): NewItem {
  const item_id = newObjectUuid(deps.clock.ms());
  const our_reference = objectId('itm', item_id);
  const { recipient_id, fingerprint, payee_name, payee_detail, to } = payee;
  return {
    item_id,
    our_reference,
    line: row.line,
    recipient_id,
    fingerprint,
    rail: 'bank' in to ? payoutHouse(from.pays) : 'wallet',
    sealed_payee: 'bank' in to ? sealItemPayee(deps, our_reference, to.bank) : null,
    to_wallet_id: 'wallet' in to ? to.wallet.wallet_id : null,
    payee_name,
    payee_detail,
    amount: share.amount,
    received_amount: from.quote ? row.units : null,
    fee: fee.units + share.fee,
    fee_terms: fee.terms === null ? null : JSON.stringify(fee.terms),
    reference: row.reference ?? `${batch}-${row.line}`,
    note: row.note,
  };
}
