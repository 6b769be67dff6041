import type { IncomingHttpHeaders } from 'node:http';
import type { Db } from '#kernel/db/db.ts';
import { defineInbox, type Inbox } from '#kernel/effects/inbox.ts';
import { done, type Outcome } from '#kernel/effects/outcome.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import { transact } from '#kernel/transact.ts';
import type { GatewayNews, Payout } from '#providers/gateway/port.ts';
import type { PayoutDeps } from './deps.ts';
import { lookUpPayout } from './gateway-calls.ts';
import { endClaim, payLate } from './late.ts';
import type { PayoutWord } from './payer.ts';
import {
  findPayoutRow,
  holdPayout,
  movePayouts,
  noteFailureTold,
  type PayoutRow,
  type PayoutState,
} from './payout-store.ts';

const KEPT_MS = 90 * 24 * 3_600_000;

type Said = GatewayNews & { readonly [key: string]: unknown };
/** What counts: the gateway's own word. Nothing where it knows nothing. */
type Word = Pick<Payout, 'id' | 'status' | 'failureCode'> & {
  /** Where it stood by our books before the gateway was asked. */
  readonly stateBefore: PayoutState;
};
export type PayoutInbox = Inbox<Said, Word | undefined>;

/**
 * Somebody says how a pay-out has ended. The gateway is asked, and its answer counts, however late it
 * comes and however often it is said: also that a bank has sent back what had arrived.
 */
export const payoutInbox = (deps: PayoutDeps): PayoutInbox =>
  defineInbox<Said, Word | undefined>({
    source: 'gateway-payouts',
    keptMs: KEPT_MS,
    again: true,
    async ask({ reference, status }): Promise<Outcome<Word | undefined>> {
      const payout = await findPayoutRow(deps.db, reference);
      if (!payout) return done(undefined);
      const payer = deps.payerOf(payout);
      if (payer.believesCallers)
        await deps.gateway.offline?.believePayout(payout.reference, status as Word['status']);
      return askAbout(deps, payout);
    },
    async handle(tx, { reference }, { answer }) {
      const word = answer?.kind === 'done' ? answer.value : undefined;
      return word ? applyWord(deps, tx, reference, word) : 'nothing-new';
    },
  });

/** Asks the gateway, and keeps where the pay-out stood before: what was said earlier undoes nothing that was booked since. */
export async function askAbout(
  deps: PayoutDeps,
  payout: PayoutRow,
): Promise<Outcome<Word | undefined>> {
  const found = await lookUpPayout(deps, deps.payerOf(payout), payout);
  if (found.kind !== 'done') return found;
  return done(found.value && { ...found.value, stateBefore: payout.state });
}

/** Books what is certain of a pay-out, once. Answers in a word what came of it. */
export async function applyWord(
  deps: PayoutDeps,
  tx: Db,
  reference: string,
  { status, failureCode, stateBefore }: Word,
): Promise<string> {
  const payout = await findPayoutRow(tx, reference);
  if (!payout || status === 'PENDING') return 'nothing-new';
  const word = { status, ...(failureCode !== undefined && { failure: failureCode }) };
  const isNew = isOpen(payout) && (await deps.payerOf(payout).hear(tx, payout, word));
  if (status === 'FAILED') return hearFailure(deps, tx, payout, word);
  if (payout.state === 'FAILED' && stateBefore === 'FAILED') return payLate(deps, tx, reference);
  return isNew ? 'told' : 'known';
}

const isOpen = ({ state }: PayoutRow): boolean => state === 'ASKED' || state === 'SENT';

/** Its flow may be about to book it as paid: then it is asked about again after that. */
async function hearFailure(deps: PayoutDeps, tx: Db, before: PayoutRow, word: PayoutWord) {
  if (await noteFailureTold(tx, before.reference)) return 'told';
  const payout = await holdPayout(tx, before.reference, 'PAID');
  return payout ? takeBack(deps, tx, payout, word) : 'told';
}

/** PAID to RETURNED, once, of one that is held: the gateway has the money again, and the payer accounts for it. */
async function takeBack(
  deps: PayoutDeps,
  tx: Db,
  payout: PayoutRow,
  { failure = 'The bank has returned the transfer' }: PayoutWord,
): Promise<string> {
  const { reference, payer } = payout;
  // The payer has given it back before: what returns ends our claim.
  const operations =
    (await endClaim(tx, payout)) ?? (await deps.payerOf(payout).takeBack(tx, payout, failure));
  if (!operations) return 'known';
  await movePayouts(tx, [reference], 'RETURNED', { failure });
  deps.log.warn({ reference, payer, failure }, 'A pay-out came back from the bank');
  await postAllWithin(tx, operations);
  return 'returned';
}

/**
 * Keeps what somebody says of one of ours. The gateway's own call-backs are followed up here and now;
 * anybody else's are left to a job, which asks once for however many there were. What names nothing of
 * ours is not worth a row.
 */
export async function hearNews(
  deps: PayoutDeps & { readonly inbox: PayoutInbox },
  news: GatewayNews,
  headers: IncomingHttpHeaders,
): Promise<void> {
  const { db, inboxes, inbox, gateway } = deps;
  const payout = await findPayoutRow(db, news.reference);
  if (!payout) return;
  const { reference } = payout;
  await transact(db, (tx) => inboxes.receive(tx, inbox, reference, { ...news, reference }));
  if (gateway.isGenuine(headers)) await inboxes.handleNow(inbox, reference);
}
