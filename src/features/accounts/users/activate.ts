import type { Db } from '#kernel/db/db.ts';
import { emitUser } from './events.ts';
import { makeActive } from './store.ts';

/** Makes a PENDING user ACTIVE. One who was stopped stays so, and is ACTIVE once they are let in. */
export async function activate(tx: Db, user_id: number): Promise<void> {
  if (await makeActive(tx, user_id)) await emitUser(tx, 'activated', user_id);
}
