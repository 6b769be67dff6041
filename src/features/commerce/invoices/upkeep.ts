import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { transact } from '#kernel/transact.ts';
import type { InvoiceDeps } from './deps.ts';
import { emitInvoice } from './events.ts';
import { endInvoice, invoicesToExpire } from './store.ts';

const AT_ONCE = 200;

/** Ends invoices that were not paid in time. */
export const expireInvoices = ({ db }: Pick<InvoiceDeps, 'db'>): Schedule =>
  defineSchedule({
    name: 'invoices.expire',
    cron: '* * * * *',
    async run({ signal }) {
      for (let ended = AT_ONCE; ended === AT_ONCE && !signal.aborted; )
        ended = await transact(db, async (tx) => {
          const invoices = await invoicesToExpire(tx, AT_ONCE);
          for (const invoice of invoices) {
            const row = await endInvoice(tx, invoice, 'EXPIRED');
            if (row) emitInvoice(tx, 'expired', { ...invoice, ...row });
          }
          return invoices.length;
        });
    },
  });
