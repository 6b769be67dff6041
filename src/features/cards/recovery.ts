import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { claimPending, getTransaction } from './store.ts';
import { type CardDeps, isOverdue, lookUp } from './transaction.ts';

const AT_ONCE = 20;

/**
 * Ends what a lost answer or a crash has left open: the network is asked about it, with growing
 * pauses, until it has settled, was refused, or was never seen there.
 */
export const cardSchedules = (deps: CardDeps): Schedule[] => [
  defineSchedule({
    name: 'cards.look-up-open',
    cron: '* * * * *',
    async run({ signal }) {
      if (deps.config.MOCK_MODE) return;
      for (;;) {
        const ids = await claimPending(deps.db, deps.clock.now(), AT_ONCE);
        await Promise.all(ids.map((id) => lookUpOne(deps, id)));
        if (ids.length < AT_ONCE || signal.aborted) return;
      }
    },
  }),
];

/** One that cannot be booked must not keep the others from it; it stays open and is tried again. */
async function lookUpOne(deps: CardDeps, id: number): Promise<void> {
  try {
    const row = await lookUp(deps, await getTransaction(deps.db, id));
    if (row.state === 'PENDING' && isOverdue(deps, row))
      deps.log.error(
        { reference: row.reference_id },
        'The card network does not say what became of a transaction',
      );
  } catch (error) {
    deps.log.error({ err: error, card_transaction: id }, 'A card transaction could not be ended');
  }
}
