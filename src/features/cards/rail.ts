import { hasRows } from '#kernel/db/has-rows.ts';
import type { Rail } from '#kernel/reconciliation/rail.ts';
import {
  type CardNetwork,
  type Cleared,
  FIRST_TERMINAL,
  type Trace,
} from '#providers/card-network/port.ts';
import { listCleared } from './clearing-store.ts';
import type { Kind } from './store.ts';

/** The network clears at once; what is not settled here by then was never answered. */
const GRACE_MS = 30 * 60_000;

/** What the kinds of card transactions are called by people who compare books. */
const KINDS = { TOPUP: 'top-up', REFUND: 'refund', PUSH: 'push' } as const satisfies Record<
  Kind,
  string
>;
const THEIR_KINDS = { pull: 'top-up', reversal: 'refund', push: 'push' } as const satisfies Record<
  Cleared['kind'],
  string
>;

/** Terminals may have given the same number; most are of the first, and known without it. */
const nameOf = ({ rrn, terminal }: Pick<Trace, 'rrn' | 'terminal'>): string =>
  terminal === FIRST_TERMINAL ? rrn : `${rrn}.${terminal}`;

/**
 * Settled card transactions against what the network cleared, by the retrieval reference number. In mock mode
 * there is no network, so nothing to compare.
 */
export const cardRail = ({ network }: { readonly network: CardNetwork }): Rail => ({
  name: 'card-network',
  toleranceUnits: 0n,
  graceMs: GRACE_MS,
  isUsed: (db) => hasRows(db, 'card_transactions'),
  async ours(db, window, after) {
    const { rows, next } = await listCleared(db, window, after);
    const lines = rows.map((row) => ({
      line: row.reference_id,
      reference: nameOf(row),
      kind: KINDS[row.type],
      asset: row.currency,
      units: row.type === 'TOPUP' ? row.amount : -row.amount,
      at: new Date(`${row.transmitted_at}Z`),
      clientId: row.client_id,
    }));
    return { lines, ...(next === undefined ? {} : { next }) };
  },
  async theirs(window, after) {
    const told = await network.statement(window, after);
    if (told.kind !== 'done') return told;
    const { cleared, next } = told.value;
    const lines = cleared.map((one) => ({
      // A reversal may carry the identifier of its original.
      line: `${one.transactionIdentifier}.${nameOf(one)}`,
      reference: nameOf(one),
      kind: THEIR_KINDS[one.kind],
      asset: one.money.asset,
      units: one.isCredit ? one.money.units : -one.money.units,
      at: one.at,
    }));
    return { kind: 'done', value: { lines, ...(next === undefined ? {} : { next }) } };
  },
});
