import type { Db } from '#kernel/db/db.ts';
import { hasRows } from '#kernel/db/has-rows.ts';
import {
  type BookPage,
  type BookWindow,
  LINES_MAX,
  type Rail,
} from '#kernel/reconciliation/rail.ts';
import {
  type CardNetwork,
  type Cleared,
  FIRST_TERMINAL,
  type Trace,
} from '#providers/card-network/port.ts';
import { listChargebacks, listCleared, type ReturnLine } from './clearing-store.ts';
import type { CardKind } from './store.ts';

/** The network clears at once; a transaction that is not settled here by then had no answer. */
const GRACE_MS = 30 * 60_000;

/** The kinds of card transactions for people who compare books. */
const KINDS = { TOPUP: 'top-up', REFUND: 'refund', PUSH: 'push' } as const satisfies Record<
  CardKind,
  string
>;
const THEIR_KINDS = {
  pull: 'top-up',
  reversal: 'refund',
  push: 'push',
  chargeback: 'charge-back',
  representment: 'charge-back',
} as const satisfies Record<Cleared['kind'], string>;

/** Terminals may have given the same number; most are of the first, and known without it. */
const nameOf = ({ rrn, terminal }: Pick<Trace, 'rrn' | 'terminal'>): string =>
  terminal === FIRST_TERMINAL ? rrn : `${rrn}.${terminal}`;

interface RailDeps {
  readonly network: CardNetwork;
  /** Receives charge-backs that the network has cleared, so that none is missed when its callback gets lost. */
  readonly noticeDisputes: (cleared: readonly Cleared[]) => Promise<void>;
}

/**
 * Settled card transactions and charge-backs against the network's clearing, by the retrieval reference number. Mock
 * mode has no network, so nothing to compare.
 */
export const cardRail = ({ network, noticeDisputes }: RailDeps): Rail => ({
  name: 'card-network',
  toleranceUnits: 0n,
  graceMs: GRACE_MS,
  isUsed: (db) => hasRows(db, 'card_transactions'),
  ours: (db, window, after) =>
    after?.startsWith(CHARGEBACKS) === true
      ? chargebackPage(db, window, after)
      : transactionPage(db, window, after),
  async theirs(window, after) {
    const statement = await network.statement(window, after);
    if (statement.kind !== 'done') return statement;
    const { cleared, next } = statement.value;
    await noticeDisputes(cleared.filter(isDispute));
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

const isDispute = ({ kind }: Cleared): boolean => kind === 'chargeback' || kind === 'representment';

async function transactionPage(db: Db, window: BookWindow, after?: string): Promise<BookPage> {
  const { rows, next = CHARGEBACKS } = await listCleared(db, window, after);
  const lines = rows.map((row) => ({
    line: row.reference_id,
    reference: nameOf(row),
    kind: KINDS[row.type],
    asset: row.currency,
    units: row.type === 'TOPUP' ? row.amount : -row.amount,
    at: new Date(`${row.transmitted_at}Z`),
    clientId: row.client_id,
  }));
  return { lines, next };
}

/** The cursor of charge-backs, whose pages follow those of transactions. */
const CHARGEBACKS = 'charge-backs';

async function chargebackPage(db: Db, window: BookWindow, after: string): Promise<BookPage> {
  const [, at, id] = after.split('|');
  const place = at === undefined ? undefined : { at, id: Number(id) };
  const rows = await listChargebacks(db, window, place);
  const last = rows.at(-1);
  const lines = rows.map(chargebackLine);
  return last && rows.length === LINES_MAX
    ? { lines, next: `${CHARGEBACKS}|${last.happened_at}|${last.id}` }
    : { lines };
}

const chargebackLine = (row: ReturnLine) => ({
  line: `charge-back ${row.id}`,
  reference: nameOf(row),
  kind: 'charge-back',
  asset: row.currency,
  units: -row.units,
  at: new Date(row.happened_at),
  clientId: row.client_id,
});
