import type { Db } from '#kernel/db/db.ts';
import type { PartnerCustomer } from '#providers/partner/port.ts';
import { type Change, changesBetween } from './changes.ts';
import { emitCustomer } from './events.ts';
import { replaceSnapshot } from './store.ts';

/** What a call for the customer has brought. */
interface CustomerRead {
  readonly user_id: number;
  readonly current: PartnerCustomer;
  readonly askedAt: Date;
}

/** Takes over how a customer stands, and emits what has changed; a later call may have done so already. */
export async function takeOverCustomer(
  tx: Db,
  { user_id, current, askedAt }: CustomerRead,
): Promise<{ readonly previous: PartnerCustomer; readonly changes: readonly Change[] }> {
  const previous = (await replaceSnapshot(tx, user_id, current, askedAt)) ?? current;
  const changes = changesBetween(previous, current);
  if (changes.length > 0) await emitCustomer(tx, 'updated', user_id, current);
  return { previous, changes };
}
