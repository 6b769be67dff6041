import type { Health } from '../delivery-store.ts';
import { FAILURES_TO_STOP, nextProbe } from '../schedule.ts';

/** After a success no earlier failure counts. */
export const afterSuccess = (at: Date): Health => ({
  failures: 0,
  failing_since: null,
  failing_first: null,
  probes: 0,
  probe_at: null,
  last_success_at: at.toISOString(),
});

/** One more failure in a row. A failed probe sets the time of the next one. */
export function afterFailure(
  health: Health,
  { position, at, isProbe }: { position: number; at: Date; isProbe: boolean },
): Health {
  const probes = health.probes + (isProbe ? 1 : 0);
  return {
    ...health,
    failures: health.failures + 1,
    failing_since: health.failing_since ?? at.toISOString(),
    failing_first: health.failing_first ?? position,
    probes,
    probe_at: isProbe ? nextProbe(probes, at).toISOString() : health.probe_at,
  };
}

/** Whether the endpoint fails, and not only one event. */
export const hasWebhookFailed = ({ failures, failing_first }: Health, position: number): boolean =>
  failures >= FAILURES_TO_STOP && failing_first !== null && failing_first !== position;
