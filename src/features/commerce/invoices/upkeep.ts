import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import { transact } from '#kernel/transact.ts';
import type { TryingDeps } from './deps.ts';
import { endUnpaid } from './paid.ts';
import { invoicesToExpire } from './store.ts';

const AT_ONCE = 200;

/** Ends invoices that were not paid in time, once the gateway has closed what was tried for them. */
export const expireInvoices = (deps: TryingDeps): Schedule =>
  defineSchedule({
    name: 'invoices.expire',
    cron: '* * * * *',
    async run({ signal }) {
      for (let ended = AT_ONCE; ended === AT_ONCE && !signal.aborted; )
        ended = await transact(deps.db, async (tx) => {
          const invoices = await invoicesToExpire(tx, AT_ONCE);
          const operations: Operation[] = [];
          for (const invoice of invoices)
            operations.push(...((await endUnpaid(deps, tx, invoice, 'EXPIRED'))?.operations ?? []));
          await postAllWithin(tx, operations);
          return invoices.length;
        });
    },
  });
