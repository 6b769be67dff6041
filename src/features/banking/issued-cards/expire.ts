import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { transact } from '#kernel/transact.ts';
import type { ActDeps } from './act.ts';
import { tellState } from './card-effects.ts';
import { emitCardChange } from './events.ts';
import { endedCards, moveIssuedCard } from './store.ts';

const AT_ONCE = 100;

/** Ends the cards whose time is over. */
export const expireCards = (deps: ActDeps): Schedule =>
  defineSchedule({
    name: 'issued-cards.expire',
    cron: '*/5 * * * *',
    async run({ signal }) {
      for (let ended = AT_ONCE; ended === AT_ONCE && !signal.aborted; )
        ended = await transact(deps.db, async (tx) => {
          const cards = await endedCards(tx, AT_ONCE);
          for (const card of cards) {
            const expired = await moveIssuedCard(tx, card, 'EXPIRED');
            await tellState(deps, tx, expired);
            await emitCardChange(tx, 'expired', expired);
          }
          return cards.length;
        });
    },
  });
