import type { Db } from '#kernel/db/db.ts';
import { hasRows } from '#kernel/db/has-rows.ts';
import type { Sagas } from '#kernel/effects/saga.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import type { PayoutPayer } from './payer.ts';
import type { PayoutRow } from './payout-store.ts';
import type { PayoutFlow, PayoutMemory } from './states.ts';

/** A statement may show a transfer so much later than the gateway's answer. */
const GRACE_MS = 2 * 3_600_000;

/** How flows of one kind end at a bank, and what happens to their transfers afterwards. */
interface BankEnd<D extends PayoutMemory>
  extends Omit<PayoutFlow<D>, 'payer'>,
    Pick<PayoutPayer, 'name' | 'answersForOthers' | 'trustsCallers' | 'transfers'>,
    Partial<Pick<PayoutPayer, 'bookLate'>> {
  /** The name of its reconciliation. */
  readonly rail: string;
  /** Its orders: without a row there is nothing to reconcile. */
  readonly table: Parameters<typeof hasRows>[1];
  /** The flow of a reference; undefined for a reference of another payer. */
  flowOf(reference: string): string | undefined;
  /** The bank has returned the transfer: see `PayoutPayer`. */
  bookReturn(
    tx: Db,
    flow: string,
    failure: string,
    payout: PayoutRow,
  ): Promise<readonly Operation[] | undefined>;
}

/** A payout flow with its payer: the payer's notifications signal the flow that waits for them. */
export function bankFlow<D extends PayoutMemory>(
  sagas: Pick<Sagas, 'signal'>,
  end: BankEnd<D>,
): PayoutFlow<D> & { readonly payer: PayoutPayer } {
  const { rail, table, flowOf, bookReturn, ...flow } = end;
  const requireFlow = (reference: string): string => {
    const id = flowOf(reference);
    if (id === undefined) throw new Error(`${reference} is no payout of ${end.name}`);
    return id;
  };
  const payer: PayoutPayer = {
    // The flow goes on to give the money back, so that a transfer that arrives all the same is lost.
    bookLate: async (_, { units: lost }) => ({ lost }),
    ...end,
    owns: (reference) => flowOf(reference) !== undefined,
    rail: { name: rail, graceMs: GRACE_MS, isUsed: (db) => hasRows(db, table) },
    notify: (tx, { reference }, word) =>
      sagas.signal(tx, requireFlow(reference), end.event, word.status, { ...word }),
    bookReturn: (tx, payout, failure) =>
      bookReturn(tx, requireFlow(payout.reference), failure, payout),
  };
  return { ...flow, payer };
}
