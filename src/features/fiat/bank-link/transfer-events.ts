import { defineInbox } from '#kernel/effects/inbox.ts';
import { defineJob, defineSchedule } from '#kernel/jobs/job.ts';
import { money } from '#kernel/money/money.ts';
import { transact } from '#kernel/transact.ts';
import type { TransferEvent } from '#providers/plaid/port.ts';
import { bookTransfer } from './booking.ts';
import type { BankDeps } from './connect.ts';
import { forgetBankLinkEvents, keepEvents, lastEventRead, readUntil } from './event-store.ts';
import { hasTransfersSince } from './top-up-store.ts';

/** It only announces new events. */
export interface BankLinkWebhook {
  readonly about: 'transfers';
}

const DAY_MS = 24 * 3600_000;
/** Banks return unauthorised debits for up to 60 days; longer than that, to be sure. */
const RETURNED_WITHIN_MS = 120 * DAY_MS;
const EVENTS_KEPT_MS = 400 * DAY_MS;
const WEBHOOKS_KEPT_MS = 30 * DAY_MS;
const FORGOTTEN_AT_ONCE = 1000;
/** Lower-numbered events may become visible after higher ones: the reader goes back by as many. */
const OVERLAP = 50;

/**
 * Reads the events of transfers: when a webhook announces them, and by the clock, since webhooks get lost. Stores
 * each event once; a job books the transfer by its events.
 */
export function createTransferEvents(deps: BankDeps) {
  const booking = defineJob<{ transfer_id: string }>({
    name: 'bank-link.book',
    async run({ transfer_id }) {
      await bookTransfer(deps.db, transfer_id);
      return undefined;
    },
  });
  const sync = async (): Promise<void> => {
    const { db, jobs } = deps;
    for (let after = Math.max(0, (await lastEventRead(db)) - OVERLAP); ; ) {
      const page = await deps.bankLink.eventsAfter(after);
      if (page.kind !== 'done') throw new Error(`Transfer events: ${causeOf(page)}`);
      const { events, hasMore } = page.value;
      const last = Math.max(after, ...events.map(({ eventId }) => eventId));
      await transact(db, async (tx) => {
        const news = await keepEvents(tx, events.filter(isOfTransfer).map(keptOf));
        const wanted = news.map((transfer_id) => ({ payload: { transfer_id }, key: transfer_id }));
        await jobs.enqueueAll(tx, booking, wanted);
        await readUntil(tx, last);
      });
      if (!hasMore || last === after) return;
      after = last;
    }
  };
  const syncing = defineJob<object>({
    name: 'bank-link.sync',
    concurrency: 1,
    async run() {
      await sync();
      return undefined;
    },
  });
  const inbox = defineInbox<BankLinkWebhook>({
    source: 'bank-link',
    keptMs: WEBHOOKS_KEPT_MS,
    async handle(tx) {
      await deps.jobs.enqueue(tx, syncing, {}, { key: 'sync' });
      return 'read';
    },
  });
  return { booking, syncing, inbox, schedules: schedulesOf(deps, sync) };
}

const schedulesOf = (deps: BankDeps, sync: () => Promise<void>) => [
  defineSchedule({
    name: 'bank-link.poll',
    cron: '*/10 * * * *',
    async run({ due }) {
      const since = new Date(due.getTime() - RETURNED_WITHIN_MS);
      if (await hasTransfersSince(deps.db, since)) await sync();
    },
  }),
  defineSchedule({
    name: 'bank-link.forget',
    cron: '50 3 * * *',
    async run({ due, signal }) {
      const before = new Date(due.getTime() - EVENTS_KEPT_MS);
      for (let gone = FORGOTTEN_AT_ONCE; gone === FORGOTTEN_AT_ONCE && !signal.aborted; )
        gone = await forgetBankLinkEvents(deps.db, before, FORGOTTEN_AT_ONCE);
    },
  }),
];

const causeOf = (
  outcome: { kind: 'unknown'; cause: string } | { kind: 'refused'; code: string },
) => (outcome.kind === 'unknown' ? outcome.cause : outcome.code);

/** Sweeps to the platform's own bank account belong to no transfer. */
const isOfTransfer = ({ transferId }: TransferEvent): boolean => transferId !== '';

const keptOf = ({ eventId, transferId, type, amount, at }: TransferEvent) => ({
  event_id: eventId,
  transfer_id: transferId,
  event_type: type.slice(0, 60),
  amount: amount === null ? null : money('USD', amount).units,
  happened_at: at,
});
