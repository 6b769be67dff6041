import type { Kysely } from 'kysely';
import type { DB } from '../db/schema.generated.ts';
import type { PaymentSource } from '../payments/payment-source.ts';
import { nextThings, writePayments } from '../payments/payment-write-store.ts';
import { transact } from '../transact.ts';

export interface FilledPayments {
  /** Things that were looked at. */
  readonly things: number;
  /** Payments that were missing or not as their things are. */
  readonly written: number;
}

const BATCH = 1000;

/** Writes the payments of all things of a source, in batches: killed and run again it goes over them once more. */
export async function fillPayments(
  db: Kysely<DB>,
  source: PaymentSource,
  batch = BATCH,
): Promise<FilledPayments> {
  let [things, written] = [0, 0];
  for (let last: string | undefined; ; ) {
    const keys = await nextThings(db, source, last, batch);
    if (keys.length === 0) return { things, written };
    written += await transact(db, (tx) => writePayments(tx, source, keys));
    things += keys.length;
    last = keys.at(-1);
  }
}
