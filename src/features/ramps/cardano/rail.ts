import { bookedIn, type Cardano } from '#chains/cardano/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { hasRows } from '#kernel/db/has-rows.ts';
import type { BookLine, BookPage, BookWindow, Rail } from '#kernel/reconciliation/rail.ts';
import { clientsByHash } from './store.ts';

const LINES_MAX = 500;
const MINUTE_MS = 60_000;

/** Mints and burns of the ledger against those of the chain. */
export const cardanoRail = (cardano: Pick<Cardano, 'statement'>): Rail => ({
  name: 'cardano',
  toleranceUnits: 0n,
  graceMs: 30 * MINUTE_MS,
  // The bridge mints with the same policy.
  isUsed: async (db) => (await hasRows(db, 'cardano_orders')) || isBooked(db),
  ours: ourMintings,
  theirs: (window) => cardano.statement(window),
});

const EVER: BookWindow = { from: new Date(0), to: new Date('9999-12-31T00:00:00Z') };

async function isBooked(db: Db): Promise<boolean> {
  return (await bookedIn(db, EVER, { limit: 1 })).length > 0;
}

async function ourMintings(db: Db, window: BookWindow, after?: string): Promise<BookPage> {
  const rows = await bookedIn(db, window, { after, limit: LINES_MAX });
  const clients = await clientsByHash(
    db,
    rows.map(({ hash }) => hash),
  );
  const lines = rows.map(({ hash, units, booked_at }): BookLine => {
    const clientId = clients.get(hash);
    return {
      line: hash,
      reference: hash,
      asset: 'USDC',
      units,
      at: new Date(booked_at),
      kind: units > 0n ? 'mint' : 'burn',
      ...(clientId !== undefined && { clientId }),
    };
  });
  return pageOf(lines, rows.at(-1)?.place);
}

const pageOf = (lines: readonly BookLine[], next: string | undefined): BookPage =>
  lines.length === LINES_MAX && next !== undefined ? { lines, next } : { lines };
