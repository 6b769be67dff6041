import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { transact } from '#kernel/transact.ts';
import { record } from './record.ts';
import { expireSome } from './store.ts';

const AT_ONCE = 500;

/**
 * Expires proposals that no admin has decided in time, and emits their events. They count as expired before: see
 * `statusOf`.
 */
export const adjustmentExpirySchedule = ({ db, clock }: Pick<Kernel, 'db' | 'clock'>): Schedule =>
  defineSchedule({
    name: 'adjustments.expire',
    cron: '* * * * *',
    async run({ signal }) {
      for (let ended = AT_ONCE; ended === AT_ONCE && !signal.aborted; )
        ended = await transact(db, async (tx) => {
          const rows = await expireSome(tx, AT_ONCE);
          await record(tx, 'expired', rows, { by: null, now: clock.now() });
          return rows.length;
        });
    },
  });
