import type { Db } from '#kernel/db/db.ts';
import {
  NAMELESS,
  type NamesReader,
  namesGiven,
  namesOf,
} from '#kernel/object-names/object-names.ts';
import { type NamedRecipient, recipientIdOf } from './shapes.ts';
import type { PaidRecipient } from './store.ts';

const TYPE = 'recipient';

/** Recipients with what their callers call them: one statement for all. */
export async function withRecipientNames(
  db: Db,
  rows: readonly PaidRecipient[],
  reader: NamesReader,
): Promise<NamedRecipient[]> {
  const names = await namesOf(db, TYPE, rows.map(recipientIdOf), reader);
  return rows.map((row) => ({ row, names: names.get(recipientIdOf(row)) ?? NAMELESS }));
}

export async function withNamesOfOne(
  db: Db,
  row: PaidRecipient,
  reader: NamesReader,
): Promise<NamedRecipient> {
  const [one] = await withRecipientNames(db, [row], reader);
  return one ?? { row, names: NAMELESS };
}

/** One that the current request makes. */
export const newlyNamed = (row: PaidRecipient): NamedRecipient => ({
  row,
  names: namesGiven(TYPE),
});
