import type { Db } from '../db/db.ts';
import { deferWrite } from '../db/deferred-writes.ts';
import type { PaymentSource } from './payment-source.ts';
import { cancelStatement, type TouchedThings, upsertOf } from './payment-write-store.ts';

/** The things that each open transaction has changed, by their source. */
const open = new WeakMap<object, Map<string, TouchedThings>>();

/** Begins to note what a transaction changes; only `withEvents` calls it. */
export function noteTouched(tx: object): void {
  open.set(tx, new Map());
}

/**
 * Has the payment of a thing written at the end of the transaction that changes it, as its view has it by then. Each
 * event of such a thing does this by itself: it is called for another thing that changes with it.
 */
export function touchPayment(tx: object, source: PaymentSource, key: string | number): void {
  const touched = open.get(tx);
  if (!touched) throw new Error(`A payment of ${source.view} is written outside of a transaction`);
  const name = `${source.view} ${source.key.column}`;
  const known = touched.get(name);
  if (known) known.keys.add(String(key));
  else touched.set(name, { source, keys: new Set([String(key)]) });
}

/** Ends the payment of a thing that is deleted in this transaction, since nothing has come of it. */
export const cancelPayment = (tx: Db, objectType: string, objectId: string): Promise<void> => {
  const { text, values } = cancelStatement(objectType, objectId);
  return deferWrite(tx, text, values);
};

/** Adds the payments of what was changed to the last statement of the transaction. */
export async function deferPayments(tx: Db): Promise<void> {
  const touched = open.get(tx);
  open.delete(tx);
  if (!touched || touched.size === 0) return;
  const { text, values } = upsertOf([...touched.values()]);
  await deferWrite(tx, text, values);
}
