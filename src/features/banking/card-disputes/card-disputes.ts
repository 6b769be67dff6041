import type { Db } from '#kernel/db/db.ts';
import type { Feature } from '#kernel/feature.ts';
import { openDisputesOf } from './closing-store.ts';
import type { CardDisputeDeps } from './deps.ts';
import { respondEffect, submitEffect, withdrawEffect } from './dispute-effects.ts';
import { CARD_DISPUTE_EVENTS } from './events.ts';
import { CARD_DISPUTES_PERSON_DATA } from './person-data.ts';
import { cardDisputeRail } from './rail.ts';
import { CARD_DISPUTES_WORDS } from './reference.ts';
import { cardDisputeRoutes } from './routes.ts';
import { filesNamedByDisputes, findCardDispute } from './store.ts';
import { disputeInbox, followDisputes, loseUnanswered } from './upkeep.ts';

/** Takes what a processor of cards tells, in the transaction that answers it. */
export interface HearsDisputes {
  /** How many disputes of ours a notification is about. */
  hear(tx: Db, raw: Uint8Array): Promise<number>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Payments of cards, disputed with the shop through the card network. */
export function createCardDisputes(given: CardDisputeDeps): Feature & HearsDisputes {
  const submitting = submitEffect(given);
  const responding = respondEffect(given);
  const withdrawing = withdrawEffect(given);
  const deps = { ...given, submitting, responding, withdrawing };
  const inbox = disputeInbox(deps);
  return {
    name: 'card-disputes',
    personData: CARD_DISPUTES_PERSON_DATA,
    closing: [openDisputesOf],
    reference: CARD_DISPUTES_WORDS,
    routes: cardDisputeRoutes(deps),
    effects: [submitting, responding, withdrawing],
    inboxes: [inbox],
    rails: [cardDisputeRail(given.issuing)],
    schedules: [loseUnanswered(deps), followDisputes(deps)],
    events: CARD_DISPUTE_EVENTS,
    fileUses: [{ by: 'disputes', find: filesNamedByDisputes }],
    async hear(tx, raw) {
      let heard = 0;
      for (const { token, transition } of given.issuing.readDisputeNews(raw)) {
        const known = UUID.test(token) ? await findCardDispute(tx, {}, token) : undefined;
        if (!known) continue;
        const { currency } = known;
        await given.inboxes.receive(tx, inbox, `${token}:${transition}`, { token, currency });
        heard += 1;
      }
      return heard;
    },
  };
}
