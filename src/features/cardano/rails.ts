import { bookedIn, type Cardano } from '#chains/cardano/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { hasRows } from '#kernel/db/has-rows.ts';
import { done } from '#kernel/effects/outcome.ts';
import type { BookLine, BookPage, BookWindow, Rail } from '#kernel/reconciliation/rail.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import { orderOfPayout, payoutReference } from './payout.ts';
import { clientsByHash, payoutsBetween } from './store.ts';

const LINES_MAX = 500;
const MINUTE_MS = 60_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** What the ledger has minted and burnt against what the chain has, and payouts against the gateway's. */
export const cardanoRails = (
  cardano: Pick<Cardano, 'statement'>,
  gateway: Pick<Gateway, 'statement'>,
): Rail[] => [
  {
    ...{ name: 'cardano', toleranceUnits: 0n, graceMs: 30 * MINUTE_MS },
    isUsed: (db) => hasRows(db, 'cardano_orders'),
    ours: ourMintings,
    theirs: (window) => cardano.statement(window),
  },
  {
    ...{ name: 'cardano-payouts', toleranceUnits: 0n, graceMs: 120 * MINUTE_MS },
    isUsed: (db) => hasRows(db, 'cardano_orders'),
    ours: ourPayouts,
    theirs: (window, after) => theirPayouts(gateway, window, after),
  },
];

async function ourMintings(db: Db, window: BookWindow, after?: string): Promise<BookPage> {
  const rows = await bookedIn(db, window, { after, limit: LINES_MAX });
  const clients = await clientsByHash(
    db,
    rows.map(({ hash }) => hash),
  );
  const lines = rows.map(({ hash, units, booked_at }): BookLine => {
    const clientId = clients.get(hash);
    return {
      ...{ line: hash, reference: hash, asset: 'USDC', units, at: new Date(booked_at) },
      kind: units > 0n ? 'mint' : 'burn',
      ...(clientId !== undefined && { clientId }),
    };
  });
  return pageOf(lines, rows.at(-1)?.place);
}

async function ourPayouts(db: Db, window: BookWindow, after?: string): Promise<BookPage> {
  const place = after ?? `-infinity,${NOBODY}`;
  const rows = await payoutsBetween(db, window, { after: place, limit: LINES_MAX });
  const lines = rows.map(({ order_id, client_id, payout, paid_out_at }): BookLine => {
    const reference = payoutReference(order_id);
    return {
      ...{ line: reference, reference, kind: 'payout', asset: 'IDR' },
      ...{ units: -(payout ?? 0n), at: new Date(paid_out_at ?? 0), clientId: client_id },
    };
  });
  return pageOf(lines, rows.at(-1)?.place);
}

const pageOf = (lines: readonly BookLine[], next: string | undefined): BookPage =>
  lines.length === LINES_MAX && next !== undefined ? { lines, next } : { lines };

async function theirPayouts(
  gateway: Pick<Gateway, 'statement'>,
  window: BookWindow,
  after: string | undefined,
) {
  const page = await gateway.statement(window, after);
  if (page.kind !== 'done') return page;
  const { lines, next } = page.value;
  const own = lines.filter(({ reference }) => orderOfPayout(reference) !== undefined);
  return done<BookPage>({ lines: own, ...(next !== undefined && { next }) });
}
