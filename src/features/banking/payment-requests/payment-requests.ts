import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import { transact } from '#kernel/transact.ts';
import { endUnpaidRequest } from './answer.ts';
import { openRequestsOf } from './closing-store.ts';
import type { PaymentRequestDeps } from './deps.ts';
import { PAYMENT_REQUEST_EVENTS } from './events.ts';
import { PAYMENT_REQUESTS_PERSON_DATA } from './person-data.ts';
import { PAYMENT_REQUESTS_WORDS } from './reference.ts';
import { paymentRequestRoutes } from './routes.ts';
import { unansweredRequests } from './store.ts';

const AT_ONCE = 200;

/** People ask others for money, who pay by a transfer or say no. */
export const createPaymentRequests = (deps: PaymentRequestDeps): Feature => ({
  name: 'payment-requests',
  personData: PAYMENT_REQUESTS_PERSON_DATA,
  closing: [openRequestsOf],
  reference: PAYMENT_REQUESTS_WORDS,
  routes: paymentRequestRoutes(deps),
  schedules: [
    defineSchedule({
      name: 'payment-requests.expire',
      cron: '* * * * *',
      async run({ signal }) {
        for (let ended = AT_ONCE; ended === AT_ONCE && !signal.aborted; )
          ended = await transact(deps.db, async (tx) => {
            const rows = await unansweredRequests(tx, AT_ONCE);
            for (const row of rows) await endUnpaidRequest(tx, row, 'EXPIRED');
            return rows.length;
          });
      },
    }),
  ],
  events: PAYMENT_REQUEST_EVENTS,
});
