import { type Db, run } from '../db/db.ts';
import type { Asset } from '../money/money.ts';
import { houseAccount, openAccount } from './accounts.ts';
import type { Payment } from './returns.ts';

/** By which a pay-out has its row in `ledger.returns`, where its money has gone two ways. */
export const payoutKey = (reference: string): string => `${PAYOUT}${reference}`;
const PAYOUT = 'payout:';

/** The claim on the other side, and the loss where it is given up: cards and pay-outs have accounts of their own. */
export async function excessAccounts(
  db: Db,
  payment: string,
  asset: Asset,
): Promise<{ readonly disputed: number; readonly losses: number }> {
  const kind = excessKind(payment);
  return {
    disputed: await openAccount(db, houseAccount(`${kind}-disputed`, asset)),
    losses: await openAccount(db, houseAccount(`${kind}-losses`, asset)),
  };
}

export const excessKind = (payment: string): 'payout' | 'card' =>
  payment.startsWith(PAYOUT) ? 'payout' : 'card';

/** All of a payment that we had given back has gone the other way, too. Once for each. */
export async function openExcessOf(tx: Db, { key, asset, units }: Payment): Promise<void> {
  await run(
    tx,
    `insert into ledger.returns (payment, asset, paid, refunded, excess, excess_since)
     values ($1, $2, $3, $3, $3, service_now())`,
    [key, asset, units],
  );
}

/** The other side has given its part back: answers what was open of that, and what had been given up. */
export async function endExcess(
  tx: Db,
  payment: string,
): Promise<{ readonly open: bigint; readonly written_off: bigint } | undefined> {
  const [row] = await run<{ open: bigint; written_off: bigint }>(
    tx,
    `update ledger.returns r set excess = 0, written_off = 0, excess_since = null, updated_at = service_now()
     from (select payment, excess, written_off from ledger.returns
           where payment = $1 and excess > 0 for no key update) was
     where r.payment = was.payment
     returning was.excess - was.written_off as open, was.written_off`,
    [payment],
  );
  return row;
}

/** A payment that was taken back twice and not written off, and how much of it. */
export interface Excess {
  readonly payment: string;
  readonly asset: Asset;
  readonly units: bigint;
  readonly since: string;
}

/** Oldest first, for people; up to so many. */
export const openExcess = (db: Db, limit: number): Promise<Excess[]> =>
  run(
    db,
    `select payment, asset, excess - written_off as units, excess_since as since from ledger.returns
     where excess > written_off order by excess_since limit $1`,
    [limit],
  );

/** Gives up what was taken twice of a payment; answers how much, nothing where there is none. */
export async function writeOffExcess(tx: Db, payment: string): Promise<Excess | undefined> {
  const [row] = await run<Excess>(
    tx,
    `update ledger.returns r set written_off = r.excess, updated_at = service_now()
     from (select payment, excess - written_off as units from ledger.returns
           where payment = $1 and excess > written_off for no key update) was
     where r.payment = was.payment
     returning r.payment, r.asset, was.units, r.excess_since as since`,
    [payment],
  );
  return row;
}
