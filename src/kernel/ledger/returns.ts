import { type Db, run } from '../db/db.ts';
import type { Asset } from '../money/money.ts';

/** How money goes back to its payer; each way has its sum in `ledger.returns`. */
const SUMS = {
  /** By us, on the payer's wish. */
  refund: 'refunded',
  /** By the payer's bank, in dispute. */
  chargeback: 'charged_back',
  /** By the network that carried it. */
  reversal: 'reversed',
  /** By the bank that it came from. */
  return: 'returned',
} as const;
export type WayBack = keyof typeof SUMS;

/** Money that came, by the key of its posting; `units` of the asset are the most that can go back. */
export interface Payment {
  readonly key: string;
  readonly asset: Asset;
  readonly units: bigint;
}

const ALL = Object.values(SUMS)
  .map((sum) => `r.${sum}`)
  .join(' + ');

/**
 * Claims `units` of a payment for one way back, in the transaction that decides it. False where less is left
 * by all ways together, or where it is in question how much. Another claim of the same payment waits until this
 * transaction ends.
 */
export async function claimReturn(
  tx: Db,
  { key, asset, units: paid }: Payment,
  way: WayBack,
  units: bigint,
): Promise<boolean> {
  if (units > paid) return false;
  const sum = SUMS[way];
  const rows = await run(
    tx,
    `insert into ledger.returns as r (payment, asset, paid, ${sum}) values ($1, $2, $3, $4)
     on conflict (payment) do update
       set ${sum} = r.${sum} + excluded.${sum}, updated_at = service_now()
       where ${ALL} + excluded.${sum} <= r.paid and r.questioned = 0
     returning payment`,
    [key, asset, paid, units],
  );
  return rows.length === 1;
}

/** Frees what was claimed, because it does not go back by that way after all. */
export async function freeReturn(
  tx: Db,
  { key }: Pick<Payment, 'key'>,
  way: WayBack,
  units: bigint,
): Promise<void> {
  const sum = SUMS[way];
  await run(
    tx,
    `update ledger.returns r set ${sum} = r.${sum} - $2, updated_at = service_now() where payment = $1`,
    [key, units],
  );
}

/** What the other side says that it has taken back so far, all in all: nothing where the payment stands. */
export interface ReturnedMoney {
  readonly way: 'chargeback' | 'reversal';
  readonly units: bigint;
}

/** By how much more, or less, has gone back than before, in units. */
export interface Shift {
  /** Of what was left of the payment, before and now. */
  readonly before: bigint;
  readonly now: bigint;
  /** Change of what was taken although it had gone back another way. */
  readonly excess: bigint;
  /** The news put something in question that was not before: nothing is booked of that until a person has decided. */
  readonly isInQuestion: boolean;
}

interface ReturnRow {
  readonly paid: bigint;
  readonly refunded: bigint;
  readonly charged_back: bigint;
  readonly reversed: bigint;
  readonly returned: bigint;
  readonly excess: bigint;
  readonly questioned: bigint;
  readonly reversal_meant: Meant | null;
}

/** What a network's word that a payment is undone means after a refund of ours: all of it, or that refund alone. */
export type Meant = 'ALL' | 'REFUND';

/**
 * Writes down what the other side has taken back of a payment by now. It cannot be refused, since it has happened: what
 * is left of the payment is taken, and what a charge-back takes beyond that is excess, for a person. A reversal by
 * the network undoes what is left; after a refund of ours it may be that refund, so that a person decides (`decideReversal`).
 * Repeated or late news change nothing.
 */
export async function recordTaken(tx: Db, payment: Payment, taken: ReturnedMoney): Promise<Shift> {
  const { key, asset, units: paid } = payment;
  await run(
    tx,
    `insert into ledger.returns (payment, asset, paid) values ($1, $2, $3) on conflict (payment) do nothing`,
    [key, asset, paid],
  );
  const [row] = await run<ReturnRow>(
    tx,
    'select * from ledger.returns where payment = $1 for no key update',
    [key],
  );
  if (!row) throw new Error(`The returns of ${key} vanished`);
  const before = row.charged_back + row.reversed;
  const left = row.paid - row.refunded - row.returned;
  if (taken.way === 'reversal' && row.refunded > 0n && row.reversal_meant !== 'ALL') {
    const questioned = row.reversal_meant === null ? left - before : 0n;
    await putInQuestion(tx, key, questioned);
    const isInQuestion = questioned > 0n && row.questioned === 0n;
    return { before, now: before, excess: 0n, isInQuestion };
  }
  const isChargeback = taken.way === 'chargeback';
  const beyond = taken.units > left ? taken.units - left : 0n;
  const now = taken.units - beyond;
  const excess = isChargeback ? beyond : 0n;
  await run(
    tx,
    `update ledger.returns
     set charged_back = $2, reversed = $3, excess = $4, updated_at = service_now(),
       excess_since = case when $4 > 0 then coalesce(excess_since, service_now()) end,
       questioned = 0, questioned_since = null,
       reversal_meant = case when not $5 then reversal_meant end
     where payment = $1 and ((charged_back, reversed, excess) is distinct from ($2, $3, $4)
       or questioned > 0 or $5 and reversal_meant is not null)`,
    [key, isChargeback ? now : 0n, isChargeback ? 0n : now, excess, isChargeback],
  );
  return { before, now, excess: excess - row.excess, isInQuestion: false };
}

const putInQuestion = (tx: Db, key: string, units: bigint): Promise<unknown> =>
  run(
    tx,
    `update ledger.returns set questioned = $2, updated_at = service_now(),
       questioned_since = case when $2 > 0 then coalesce(questioned_since, service_now()) end
     where payment = $1 and questioned <> $2`,
    [key, units],
  );

/** What went back of a payment by a charge-back or reversal, as the other side counts it. */
export async function takenOf(db: Db, key: string): Promise<ReturnedMoney | undefined> {
  const [row] = await run<ReturnRow>(db, 'select * from ledger.returns where payment = $1', [key]);
  if (!row) return undefined;
  const { charged_back, reversed, excess } = row;
  if (charged_back + excess > 0n) return { way: 'chargeback', units: charged_back + excess };
  return reversed > 0n ? { way: 'reversal', units: reversed } : undefined;
}
