import { newBatch } from './batch.ts';
import { listParked, listReplays, listSettled } from './delivery-store.ts';
import { createIntake } from './intake.ts';
import { createWebhookLanes } from './lanes.ts';
import type { Leased } from './lease-store.ts';
import { createPacing } from './pacing.ts';
import type { ServingDeps, ServingState } from './serving-state.ts';

/** Begins to serve an endpoint, with what the database has of it. */
export async function openServing(leased: Leased, deps: ServingDeps): Promise<ServingState> {
  const { endpoint_id, lease, place, status, approved } = leased;
  const [parked, settled, replays] = await Promise.all([
    listParked(deps.db, endpoint_id),
    listSettled(deps.db, endpoint_id, place),
    listReplays(deps.db, endpoint_id),
  ]);
  const ahead = parked.filter((row) => row.position > place).map((row) => row.position);
  return {
    deps,
    lease,
    endpoint: leased,
    replays,
    types: deps.typesOf(leased.types),
    health: leased,
    isApproved: approved,
    isStopped: status === 'failing',
    lanes: createWebhookLanes(parked),
    intake: createIntake(place, [...settled, ...ahead]),
    pacing: createPacing(leased),
    chunk: undefined,
    inFlight: new Set(),
    busy: new Set(),
    batch: newBatch(),
    writing: undefined,
    isWriting: false,
    isReading: false,
    isClosing: false,
    isLost: false,
    underway: new Set(),
  };
}
