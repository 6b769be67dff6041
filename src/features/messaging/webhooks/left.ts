import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { note } from './declaring.ts';
import { listMadeBy, pauseMadeBy } from './endpoint-store.ts';
import { updated } from './event-types.ts';

interface By {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

const LISTED_MAX = 500;

/** Pauses what a user has made, in the transaction that stops them: another admin resumes it, or deletes it. */
export async function pauseEndpointsOf(
  deps: Pick<Kernel, 'vault'>,
  tx: Db,
  made_by: number,
  by: By,
): Promise<void> {
  for (const row of await pauseMadeBy(tx, made_by))
    await note(tx, { row, deps, ...by, action: 'WEBHOOK_ENDPOINT_PAUSED' }, updated);
}

/** Where the endpoints send that a user has made, and whether they do. */
export async function endpointsOf(db: Db, made_by: number) {
  const rows = await listMadeBy(db, made_by, LISTED_MAX);
  return rows.map(({ endpoint_id, client_id, url, status }) => ({
    endpoint_id,
    client_id,
    url,
    status,
  }));
}
