import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import {
  type BookLine,
  type BookPage,
  type BookWindow,
  LINES_MAX,
} from '#kernel/reconciliation/rail.ts';
import type { Connection } from './connection.ts';
import { USDC_CODE, wholeUnitsOf } from './currency.ts';
import { paymentLine } from './payment-line.ts';
import { AccountTx, type TxResult } from './wire.ts';

interface Addresses {
  readonly platform: string;
  readonly issuer: string;
}

const PAGE = 200;
/** Anybody may send the address next to nothing as often as they like: so many pages are one of ours. */
const PAGES_IN_ONE = 25;
/** Of ours, with another page of theirs. */
const LINES_ENOUGH = LINES_MAX - PAGE;

/**
 * A page of what the platform's address got and paid, newest first. The ledger has no index by time, so
 * pages are read from the latest until one is older than the window.
 */
export async function statementPage(
  connection: Connection,
  of: Addresses,
  window: BookWindow,
  after: string | undefined,
): Promise<Outcome<BookPage>> {
  const lines: BookLine[] = [];
  let next = after;
  for (let pages = 0; pages < PAGES_IN_ONE && lines.length <= LINES_ENOUGH; pages += 1) {
    const page = await theirPage(connection, of, window, next);
    if (page.kind !== 'done') return page;
    lines.push(...page.value.lines);
    next = page.value.next;
    if (next === undefined) break;
  }
  return done({ lines, ...(next !== undefined && { next }) });
}

async function theirPage(
  connection: Connection,
  of: Addresses,
  window: BookWindow,
  after: string | undefined,
): Promise<Outcome<BookPage>> {
  const reply = await connection.ask(AccountTx, 'account_tx', {
    account: of.platform,
    ledger_index_min: -1,
    ledger_index_max: -1,
    limit: PAGE,
    ...(after !== undefined && { marker: JSON.parse(after) }),
  });
  if (!('result' in reply)) return unknown('lost' in reply ? reply.lost : reply.error);
  const { transactions, marker } = reply.result;
  const times = transactions.map(({ close_time_iso }) => new Date(close_time_iso ?? 0));
  const lines = transactions.flatMap((transaction, i) => {
    const at = times[i] ?? new Date(0);
    return at >= window.from && at < window.to ? lineOf(transaction, at, of) : [];
  });
  const isOver = times.some((at) => at < window.from);
  const next = marker === undefined || isOver ? undefined : JSON.stringify(marker);
  return done({ lines, ...(next !== undefined && { next }) });
}

function lineOf({ hash, meta, tx_json }: TxResult, at: Date, of: Addresses): BookLine[] {
  const { delivered_amount: delivered, TransactionResult: result } = meta ?? {};
  if (tx_json.TransactionType !== 'Payment' || result !== 'tesSUCCESS') return [];
  if (typeof delivered !== 'object' || delivered.currency !== USDC_CODE) return [];
  if (delivered.issuer !== of.issuer) return [];
  const isIncoming = tx_json.Destination === of.platform;
  const units = wholeUnitsOf(delivered.value);
  if (units === 0n) return [];
  const kind = isIncoming ? 'deposit' : 'withdrawal';
  const line = paymentLine(hash, tx_json.DestinationTag);
  return [{ line, reference: line, kind, asset: 'USDC', units: isIncoming ? units : -units, at }];
}
