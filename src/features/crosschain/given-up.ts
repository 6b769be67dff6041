import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Again, Job } from '#kernel/jobs/job.ts';
import type { Jobs } from '#kernel/jobs/jobs.ts';
import type { Transfer } from './store.ts';

const MINUTE_MS = 60_000;
/**
 * How long after it was called failed a transfer's burn is looked for: a transaction may wait that long
 * for its block. One that comes later still counts when somebody tells of it.
 */
const LOOKS_MS = [10, 60, 6 * 60, 24 * 60].map((minutes) => minutes * MINUTE_MS);

/** What it takes to have a burn looked for. */
export interface GivenUp {
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly lookForBurn: Job<{ log_id: string }>;
}

/** In the transaction that calls it failed. */
export async function lookLater(
  { jobs, lookForBurn }: GivenUp,
  tx: Db,
  { log_id, updated_at }: Transfer,
): Promise<void> {
  const at = new Date(Date.parse(updated_at) + (LOOKS_MS[0] ?? 0));
  await jobs.enqueue(tx, lookForBurn, { log_id }, { key: log_id, at });
}

/** When to look again; nothing after the last time. */
export function nextLook(
  { clock }: { readonly clock: Clock },
  { updated_at }: Transfer,
): Again | undefined {
  const failedAt = Date.parse(updated_at);
  const at = LOOKS_MS.map((ms) => failedAt + ms).find((ms) => ms > clock.now().getTime());
  return at === undefined ? undefined : { again: new Date(at) };
}

/** A burn that is there and not deep enough yet. */
export const soon = ({ clock }: { readonly clock: Clock }): Again => ({
  again: new Date(clock.now().getTime() + MINUTE_MS),
});
