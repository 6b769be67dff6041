import { listParked, listReplays, listSettled } from '../delivery-store.ts';
import { newBatch } from './batch.ts';
import { createEventBuffer } from './event-buffer.ts';
import type { Leased } from './lease-store.ts';
import { createObjectQueues } from './object-queues.ts';
import { createPacing } from './pacing.ts';
import type { ServingDeps, ServingState } from './serving-state.ts';

/** The state of an endpoint that this process begins to serve, from the database. */
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
    queues: createObjectQueues(parked),
    buffer: createEventBuffer(place, [...settled, ...ahead]),
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
