import type { Db } from '#kernel/db/db.ts';
import type { Money } from '#kernel/money/money.ts';
import { type FeeKey, type FeeRow, findFee } from './store.ts';

/** A fee, with the terms that it was worked out by: kept with the payment, whatever the rows become. */
export interface ChargedFee {
  readonly units: bigint;
  readonly terms: {
    readonly flat: string;
    readonly bps: number;
    readonly min: string | null;
    readonly max: string | null;
  } | null;
}

/** What is charged for an operation by the rows of this moment: ask when its money is held. Without a row it is free. */
export async function feeOf(
  tx: Db,
  { amount, ...key }: Omit<FeeKey, 'currency'> & { readonly amount: Money },
): Promise<ChargedFee> {
  const row = await findFee(tx, { ...key, currency: amount.asset });
  return row === undefined ? { units: 0n, terms: null } : chargedBy(row, amount);
}

/** The same for many amounts of one rail, method and currency, by one look at the rows. */
export async function feesOf(db: Db, key: FeeKey): Promise<(units: bigint) => ChargedFee> {
  const row = await findFee(db, key);
  return (units) =>
    row === undefined ? { units: 0n, terms: null } : chargedBy(row, { asset: key.currency, units });
}

const WHOLE = 10_000n;

/** A part of the amount is rounded up, as every fee. */
function chargedBy({ flat, bps, least, most }: FeeRow, { units }: Money): ChargedFee {
  const sum = flat + (units * BigInt(bps) + WHOLE - 1n) / WHOLE;
  const floor = least !== null && sum < least ? least : sum;
  const terms = {
    flat: flat.toString(),
    bps,
    min: least?.toString() ?? null,
    max: most?.toString() ?? null,
  };
  return { units: most !== null && floor > most ? most : floor, terms };
}
