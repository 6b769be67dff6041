import type { Db } from '#kernel/db/db.ts';
import { type NamesReader, namesOf, type ObjectNames } from '#kernel/object-names/object-names.ts';
import type { ListedPayment } from '#kernel/payment-list/payment-list-store.ts';

/** What callers call the things behind payments, by the payments' ids: a statement for each type. */
export async function namesOfPayments(
  db: Db,
  payments: readonly Pick<ListedPayment, 'payment_id' | 'object_type' | 'object_id'>[],
  reader: NamesReader,
): Promise<ReadonlyMap<string, ObjectNames>> {
  const all = new Map<string, ObjectNames>();
  for (const [type, some] of Map.groupBy(payments, ({ object_type }) => object_type)) {
    const ids = some.map(({ object_id }) => object_id);
    const names = await namesOf(db, type, ids, reader);
    for (const { payment_id, object_id } of some) {
      const one = names.get(object_id);
      if (one) all.set(payment_id, one);
    }
  }
  return all;
}
