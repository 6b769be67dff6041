import type { Db } from '#kernel/db/db.ts';
import { emitUser } from './events.ts';
import { makeActive } from './store.ts';

/** Makes a PENDING user ACTIVE. A suspended one becomes ACTIVE once reinstated. */
export async function activate(tx: Db, user_id: number): Promise<void> {
  if (await makeActive(tx, user_id)) await emitUser(tx, 'activated', user_id);
}
