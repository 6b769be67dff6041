import { createHash } from 'node:crypto';
import type { Fiat, FiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { entriesUpward, type StatementRow } from '#kernel/ledger/statement.ts';
import type { StatementSpan } from '#kernel/ledger/statement-span.ts';
import { format } from '#kernel/money/money.ts';
import {
  type PostedPayment,
  paymentsOfPostings,
} from '#kernel/payment-list/payments-of-postings.ts';

/** One movement of money on a wallet. Amounts are units; what left is below zero. */
export interface StatementEntry extends Pick<StatementRow, 'seq' | 'key' | 'kind' | 'amount'> {
  readonly booked_at: string;
  readonly balance: bigint;
  readonly payment: PostedPayment | undefined;
  readonly description: string | null;
}

/** Movements in one direction. */
interface StatementSum {
  readonly count: number;
  readonly amount: bigint;
}

/** What a statement says before its entries. */
export interface StatementHead {
  readonly wallet_id: number;
  readonly currency: Fiat;
  readonly holder: string;
  readonly issuer: string;
  /** Days of the time zone, both included. */
  readonly from: string;
  readonly to: string;
  readonly time_zone: string;
  /** The first moment of the first day, and the last that it covers. */
  readonly starts_at: string;
  readonly as_of: string;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly credits: StatementSum;
  readonly debits: StatementSum;
  /** SHA-256 of its days and of what the ledger has of them, in hexadecimal digits. */
  readonly digest: string;
}

/** A statement: every reading of its entries has the same ones. */
export interface WalletStatement {
  readonly head: StatementHead;
  entries(): AsyncIterable<readonly StatementEntry[]>;
}

/** Of what it is a statement. */
export interface StatementOrder
  extends Pick<StatementHead, 'holder' | 'issuer' | 'from' | 'to' | 'time_zone' | 'starts_at'> {
  readonly wallet: FiatWallet;
  readonly span: StatementSpan;
}

export const STATEMENT_ENTRIES_MAX = 100_000;
const AT_ONCE = 500;

/** Undefined where it has too many entries. Reads all of them once, page by page. */
export async function readWalletStatement(
  db: Db,
  order: StatementOrder,
): Promise<WalletStatement | undefined> {
  const { wallet, span, ...named } = order;
  const { wallet_id, currency } = wallet;
  const { at: as_of, opening, closing } = span;
  const { from, to, time_zone } = named;
  const digest = createHash('sha256');
  const seal = (line: readonly unknown[]) => digest.update(`${JSON.stringify(line.map(String))}\n`);
  seal(['archipay-statement/1', wallet_id, currency, from, to, time_zone, opening, closing]);
  const credits = { count: 0, amount: 0n };
  const debits = { count: 0, amount: 0n };
  for await (const rows of pagesOf(db, order)) {
    for (const row of rows) {
      seal([row.seq, row.created_at, row.kind, row.key, row.amount, row.posted_after]);
      const sum = row.amount > 0n ? credits : debits;
      sum.count += 1;
      sum.amount += row.amount > 0n ? row.amount : -row.amount;
    }
    if (credits.count + debits.count > STATEMENT_ENTRIES_MAX) return undefined;
  }
  if (opening + credits.amount - debits.amount !== closing)
    throw new Error(`The entries of wallet ${wallet_id} do not lead from ${opening} to ${closing}`);
  const head = { ...named, wallet_id, currency, as_of, opening, closing, credits, debits };
  return {
    head: { ...head, digest: digest.digest('hex') },
    entries: () => entriesOf(db, order),
  };
}

/** The entries of a page are asked for once the page before is used up, so that a long history waits at the database. */
async function* pagesOf(
  db: Db,
  { wallet: { account_id }, span: { first, last } }: StatementOrder,
): AsyncGenerator<StatementRow[]> {
  for (let after = first; ; ) {
    const rows = await entriesUpward(db, account_id, { after, last, limit: AT_ONCE });
    if (rows.length > 0) yield rows;
    const end = rows.at(-1);
    if (!end || rows.length < AT_ONCE) return;
    after = end.seq;
  }
}

async function* entriesOf(db: Db, order: StatementOrder): AsyncGenerator<StatementEntry[]> {
  for await (const rows of pagesOf(db, order)) {
    const keys = rows.map(({ key }) => key);
    const payments = await paymentsOfPostings(db, order.wallet, keys);
    yield rows.map(({ seq, key, kind, amount, posted_after, created_at, meta }) => ({
      seq,
      key,
      kind,
      amount,
      booked_at: created_at,
      balance: posted_after,
      payment: payments.get(key),
      description: typeof meta?.['description'] === 'string' ? meta['description'] : null,
    }));
  }
}

/** `card-top-up` as Card top up. */
export const kindInWords = (kind: string): string => {
  const words = kind.replaceAll('-', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
};

/** An amount of the statement as decimal text. */
export const statedAmount = (
  { currency }: Pick<StatementHead, 'currency'>,
  units: bigint,
): string => format({ asset: currency, units });
