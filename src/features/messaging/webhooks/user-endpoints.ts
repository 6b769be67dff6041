import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { recordChange } from './endpoint-route.ts';
import { listMadeBy, pauseMadeBy, takeOverMadeBy } from './endpoint-store.ts';
import { updated } from './event-types.ts';

interface By {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

const LISTED_MAX = 500;

/** Pauses a user's endpoints in the transaction that suspends the user: another admin resumes or deletes them. */
export async function pauseEndpointsOf(
  deps: Pick<Kernel, 'vault'>,
  tx: Db,
  made_by: number,
  by: By,
): Promise<void> {
  for (const row of await pauseMadeBy(tx, made_by))
    await recordChange(tx, { row, deps, ...by, action: 'WEBHOOK_ENDPOINT_PAUSED' }, updated);
}

/** The endpoints that a user has made, with their addresses and statuses. */
export async function endpointsOf(db: Db, made_by: number) {
  const rows = await listMadeBy(db, made_by, LISTED_MAX);
  return rows.map(({ endpoint_id, client_id, url, status }) => ({
    endpoint_id,
    client_id,
    url,
    status,
  }));
}

/** Makes another admin answer for a user's endpoints: they are paused when that one is stopped. */
export const takeOverEndpointsOf = (tx: Db, made_by: number, heir: number): Promise<void> =>
  takeOverMadeBy(tx, { made_by, heir, limit: LISTED_MAX });
