import { type Db, run } from '#kernel/db/db.ts';
import type { PayoutRow } from './payout-store.ts';

/**
 * Claims pay-outs that are due for a poll, and schedules the next poll in the same statement: when they are twice as
 * old, a week at most. Ended ones are polled for two months: so long banks return transfers that had arrived, and
 * failed ones may still arrive.
 */
export const claimDuePayouts = (db: Db, limit: number): Promise<PayoutRow[]> =>
  run<PayoutRow>(
    db,
    `update payouts p set look_at =
       case when p.state in ('ASKED', 'SENT') or p.paid_at > service_now() - interval '60 days'
           or p.state = 'FAILED' and p.gateway_id is not null and p.updated_at > service_now() - interval '60 days'
         then service_now() + greatest(interval '1 hour',
           least(service_now() - p.asked_at, interval '7 days')) end
     from (select reference from payouts where look_at <= service_now()
           order by look_at limit $1 for no key update skip locked) due
     where p.reference = due.reference returning p.*`,
    [limit],
  );

/** Schedules a poll in an hour, for a pay-out about which the gateway gave no answer. */
export async function pollPayoutSoon(db: Db, reference: string): Promise<void> {
  const text = `update payouts set look_at = service_now() + interval '1 hour' where reference = $1`;
  await run(db, text, [reference]);
}
