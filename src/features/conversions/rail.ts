import type { Db } from '#kernel/db/db.ts';
import { hasRows } from '#kernel/db/has-rows.ts';
import { done } from '#kernel/effects/outcome.ts';
import type { BookPage, BookWindow, Rail } from '#kernel/reconciliation/rail.ts';
import type { Exchange } from '#providers/exchange/port.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import { type Booked, listAtExchange, listPaidOut } from './rail-store.ts';
import { DISBURSEMENT_PREFIX } from './terms.ts';

const PAGE = 1000;
/** An order is booked when it has ended and a withdrawal when it has arrived: both may take a while. */
const EXCHANGE_GRACE_MS = 6 * 3_600_000;
/** What has left the gateway is booked when it is asked for, or has come to the exchange. */
const PAYOUT_GRACE_MS = 26 * 3_600_000;

const isUsed = (db: Db) => hasRows(db, 'conversion_jobs');

interface Deps {
  readonly exchange: Pick<Exchange, 'statement'>;
  readonly gateway: Pick<Gateway, 'statement'>;
}

/** What exchange and gateway say of conversions, beside what is booked of them. */
export const conversionRails = ({ exchange, gateway }: Deps): Rail[] => [
  {
    ...{ name: 'exchange', toleranceUnits: 0n, graceMs: EXCHANGE_GRACE_MS },
    isUsed,
    ours: (db, window, after) => pageOf(listAtExchange, db, window, after),
    theirs: (window, after) => exchange.statement(window, after),
  },
  {
    ...{ name: 'conversion-payouts', toleranceUnits: 0n, graceMs: PAYOUT_GRACE_MS },
    isUsed,
    ours: (db, window, after) => pageOf(listPaidOut, db, window, after),
    theirs: (window, after) => disbursements(gateway, window, after),
  },
];

/** Of the gateway's books those that are of conversions, by their reference. */
async function disbursements(gateway: Deps['gateway'], window: BookWindow, after?: string) {
  const page = await gateway.statement(window, after);
  if (page.kind !== 'done') return page;
  const { lines, next } = page.value;
  const own = lines.filter(
    ({ kind, reference }) => kind === 'payout' && reference.startsWith(`${DISBURSEMENT_PREFIX}-`),
  );
  return done<BookPage>({ lines: own, ...(next !== undefined && { next }) });
}

async function pageOf(
  list: typeof listAtExchange,
  db: Db,
  window: BookWindow,
  after: string | undefined,
): Promise<BookPage> {
  const [, at, line] = /^([^ ]+) (.+)$/.exec(after ?? '') ?? [];
  const last = at !== undefined && line !== undefined ? { at, line } : undefined;
  const rows = await list(db, window, last, PAGE);
  const end = rows.at(-1);
  return {
    lines: rows.map(({ client_id: clientId, at: moment, ...row }: Booked) => ({
      ...row,
      ...{ clientId, at: new Date(moment) },
    })),
    ...(rows.length === PAGE && end && { next: `${end.at} ${end.line}` }),
  };
}
