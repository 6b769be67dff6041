import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { transact } from '#kernel/transact.ts';
import { failInvoiceRefund } from './end.ts';
import { unclaimedRefunds } from './refund-store.ts';

const AT_ONCE = 200;
const LATE = {
  code: 'CLAIM_EXPIRED',
  message: 'Its payer named no account in time',
  retryable: true,
};

/** Frees the money of refunds for which no account was named in time. */
export const expireClaims = (deps: Pick<Kernel, 'db' | 'clock'>): Schedule =>
  defineSchedule({
    name: 'invoice-refunds.expire',
    cron: '* * * * *',
    async run({ signal }) {
      for (let ended = AT_ONCE; ended === AT_ONCE && !signal.aborted; ) {
        const late = await unclaimedRefunds(deps.db, AT_ONCE);
        for (const id of late) {
          if (signal.aborted) return;
          const end = { from: 'AWAITING_PAYER', failure: LATE } as const;
          await transact(deps.db, (tx) => failInvoiceRefund(deps, tx, id, end));
        }
        ended = late.length;
      }
    },
  });
