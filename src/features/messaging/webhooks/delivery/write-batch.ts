import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { type Results, writeResults } from '../delivery-store.ts';
import { disableWebhook, type EndpointTurn, markFailing, markRecovered } from '../status-store.ts';
import type { SealedBatch } from './batch.ts';
import type { ServingState } from './serving-state.ts';

/** Writes the results of attempts; answers whether this process still holds the endpoint's lease. */
export async function writeBatch(state: ServingState, batch: SealedBatch): Promise<boolean> {
  const { deps, lease, endpoint } = state;
  const { turn, attempts, place, health } = batch;
  for (const day of new Set(attempts.map(({ at }) => at.slice(0, 10))))
    await deps.provide(new Date(day));
  const results: Results = {
    endpoint_id: endpoint.endpoint_id,
    lease,
    place,
    health,
    attempts,
    parked: [...batch.parked.values()],
    unparked: batch.unparked,
    replays: [...batch.replays].map(([replay_id, upto]) => ({ replay_id, place: upto })),
  };
  if (turn === undefined) return writeResults(deps.db, results);
  return transact(deps.db, async (tx) => {
    // A recovery comes before its probe is cleared, a failure after its probe is set.
    const recovered = turn === 'recovered' ? await markRecovered(tx, lease) : undefined;
    const isOurs = await writeResults(tx, results);
    const turned = recovered ?? (isOurs ? await moveEndpoint(tx, state, turn) : undefined);
    if (turned) await deps.turned(tx, turned, turn);
    return isOurs;
  });
}

function moveEndpoint(tx: Db, { lease, endpoint }: ServingState, turn: EndpointTurn) {
  if (turn === 'recovered' || turn === 'expired') return undefined;
  if (turn === 'failing') return markFailing(tx, lease);
  return disableWebhook(tx, endpoint.endpoint_id, turn);
}
