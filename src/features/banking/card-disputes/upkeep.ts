import { defineInbox, type Inbox } from '#kernel/effects/inbox.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { transact } from '#kernel/transact.ts';
import type { DisputeFacts, IssuingCurrency } from '#providers/issuing/port.ts';
import type { CardDisputeDeps } from './deps.ts';
import { lockWithCard } from './dispute-effects.ts';
import { applyFacts, changeDispute } from './follow.ts';
import { disputesToFollow, findCardDispute, noteFollowed, unansweredDisputes } from './store.ts';

/** That something has happened to a dispute: what it is the processor is asked. */
export interface DisputeHint {
  readonly token: string;
  readonly currency: IssuingCurrency;
}

/** The processor repeats a notification for twelve days. */
const KEPT_MS = 30 * 86_400_000;

export const disputeInbox = (deps: CardDisputeDeps): Inbox<DisputeHint, DisputeFacts | undefined> =>
  defineInbox<DisputeHint, DisputeFacts | undefined>({
    source: 'card-disputes',
    keptMs: KEPT_MS,
    ask: ({ token, currency }) => deps.issuing.findDispute(token, currency),
    async handle(tx, { token }, { answer }) {
      const facts = answer?.kind === 'done' ? answer.value : undefined;
      const known = await findCardDispute(tx, {}, token);
      if (facts === undefined || known === undefined) return 'not_found';
      return applyFacts(deps, tx, await lockWithCard(tx, known), facts);
    },
  });

const AT_ONCE = 100;

/** Without a response in time a dispute is lost. */
export const loseUnanswered = (deps: CardDisputeDeps): Schedule =>
  defineSchedule({
    name: 'card-disputes.unanswered',
    cron: '*/5 * * * *',
    async run({ signal }) {
      for (let found = AT_ONCE; found === AT_ONCE && !signal.aborted; ) {
        const overdue = await unansweredDisputes(deps.db, AT_ONCE);
        for (const one of overdue)
          await transact(deps.db, async (tx) => {
            const dispute = await lockWithCard(tx, one);
            if (dispute.status !== 'PENDING_RESPONSE') return;
            await changeDispute(deps, tx, dispute, { status: 'LOST', failure: MISSED });
          });
        found = overdue.length;
      }
    },
  });

const MISSED = {
  code: 'RESPONSE_MISSED',
  message: 'There was no response to the shop’s answer in time',
};

/** Asks about each dispute a few times a day: a notification may have got lost. */
export const followDisputes = (deps: CardDisputeDeps): Schedule =>
  defineSchedule({
    name: 'card-disputes.follow',
    cron: '17 * * * *',
    async run({ signal }) {
      for (let found = AT_ONCE; found === AT_ONCE && !signal.aborted; ) {
        const open = await disputesToFollow(deps.db, AT_ONCE);
        for (const { dispute_id, card_id, currency } of open) {
          await noteFollowed(deps.db, dispute_id);
          const facts = await deps.issuing.findDispute(dispute_id, currency);
          if (facts.kind !== 'done' || facts.value === undefined) continue;
          const { value } = facts;
          await transact(deps.db, async (tx) => {
            await applyFacts(deps, tx, await lockWithCard(tx, { dispute_id, card_id }), value);
          });
        }
        found = open.length;
      }
    },
  });
