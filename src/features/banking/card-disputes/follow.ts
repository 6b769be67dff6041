import {
  type DisputeElement,
  lockCardPayment,
  noteDispute,
  openCreditOf,
} from '#features/banking/card-payments/card-payments.ts';
import type { Db } from '#kernel/db/db.ts';
import type { ObjectFailure } from '#kernel/http/declare/state-fields.ts';
import type { DisputeFacts } from '#providers/issuing/port.ts';
import type { CardDisputeDeps } from './deps.ts';
import { emitDisputeChange } from './events.ts';
import { type DisputeMoney, postDispute } from './postings.ts';
import {
  addNetworkEvents,
  type CardDispute,
  changeCardDispute,
  type DisputeStatus,
  UNDER_WAY,
} from './store.ts';

const DAY_MS = 86_400_000;
/** The card network’s own time for an answer to what the shop has said. */
const RESPOND_DAYS = 30;

type Deps = Pick<CardDisputeDeps, 'clock' | 'log'>;
type Changes = NonNullable<Parameters<typeof changeCardDispute>[3]>;

/** The end of a dispute, or another change of it, with its money. */
export interface DisputeChange {
  readonly status: DisputeStatus;
  readonly changes?: Changes;
  readonly failure?: Omit<ObjectFailure, 'at' | 'retryable'>;
  readonly elements?: readonly DisputeElement[];
  /** Credits it now, where it is not credited. */
  readonly credits?: boolean;
}

/**
 * Changes a dispute that is locked with its card, notes it at the payment, and moves its money, last in the transaction:
 * each end has exactly one way for the credit.
 */
export async function changeDispute(
  { clock }: Pick<Deps, 'clock'>,
  tx: Db,
  before: CardDispute,
  change: DisputeChange,
): Promise<CardDispute> {
  const { status, failure, elements = [] } = change;
  const payment = await lockCardPayment(tx, before.payment_id);
  if (!payment) throw new Error(`The payment of ${before.object_id} is not there`);
  const now = clock.now().toISOString();
  const step = stepOf(before, change);
  const isWon = status === 'WON' && before.status !== 'WON';
  const after = await changeCardDispute(tx, before, status, {
    ...change.changes,
    ...(step !== undefined && moneyFieldsOf(step, { before, now, taken: openCreditOf(payment) })),
    ...(failure && { failure: { ...failure, retryable: false, at: now } }),
    ...(isWon && { failure: null }),
  });
  const noted = { isDisputed: isOpen(after), elements, ...claimsOf(before, step) };
  const changed = await noteDispute(tx, after.payment_id, noted);
  await emitDisputeChange(tx, before, after);
  if (step !== undefined) await postDispute(tx, after, step, changed);
  return after;
}

/** What becomes of the credit. */
function stepOf(before: CardDispute, { status, credits }: DisputeChange): DisputeMoney | undefined {
  const wasTaken = before.taken_back_at !== null;
  const hasCredit = before.credited_at !== null && !wasTaken;
  if (status === 'WON') {
    if (before.status === 'WON') return undefined;
    return wasTaken ? 'returned' : 'won';
  }
  if (status === 'LOST' || status === 'WITHDRAWN' || status === 'REJECTED')
    return hasCredit ? 'taken' : undefined;
  return credits && before.credited_at === null ? 'credit' : undefined;
}

function moneyFieldsOf(
  step: DisputeMoney,
  given: { readonly before: CardDispute; readonly now: string; readonly taken: bigint },
): Changes {
  const { before, now, taken } = given;
  if (step === 'taken') return { taken_back_at: now, taken_back: taken };
  if (step === 'returned') return { taken_back_at: null, taken_back: null };
  return { credited_at: before.credited_at ?? now };
}

/** What a step adds to what is claimed of the payment, and to what the network has paid. */
function claimsOf({ amount, credited_at }: CardDispute, step: DisputeMoney | undefined) {
  if (step === undefined) return { claimed: 0n, won: 0n };
  if (step === 'taken') return { claimed: -amount, won: 0n };
  if (step === 'credit') return { claimed: amount, won: 0n };
  const isCredited = step === 'won' && credited_at !== null;
  return { claimed: isCredited ? 0n : amount, won: amount };
}

const isOpen = ({ status }: CardDispute): boolean =>
  status === 'DRAFT' || UNDER_WAY.includes(status);

/**
 * Applies what the processor says of a dispute that is locked, any number of times and however late. Answers what was
 * done, in a word. Facts about another transaction or amount than ours change nothing.
 */
export async function applyFacts(
  deps: Deps,
  tx: Db,
  dispute: CardDispute,
  facts: DisputeFacts,
): Promise<string> {
  if (facts.transaction !== dispute.transaction_token || facts.units !== dispute.amount) {
    deps.log.error(
      { dispute: dispute.object_id },
      'The processor has a dispute of ours about another payment or amount',
    );
    return 'mismatch';
  }
  const news = await addNetworkEvents(tx, dispute, facts.events);
  const change = changeBy(dispute, facts);
  const elements = elementsOf(dispute, facts);
  if (news.length === 0 && change === undefined) return 'known';
  await changeDispute(deps, tx, dispute, { status: dispute.status, ...change, elements });
  return change === undefined ? 'noted' : change.status.toLowerCase();
}

/** What a stage at the network means; undefined where it is known, or has been passed. */
function changeBy(dispute: CardDispute, facts: DisputeFacts): DisputeChange | undefined {
  const { status, accepted_at } = dispute;
  const isOurs = UNDER_WAY.includes(status);
  const begun = facts.events.find(({ stage }) => stage !== 'OPEN' && stage !== 'REJECTED')?.at;
  const accepted = accepted_at ?? begun?.toISOString() ?? null;
  const changes: Changes = accepted === accepted_at ? {} : { accepted_at: accepted };
  if (facts.stage === 'WON') {
    const at = facts.events.findLast(({ stage }) => stage === 'WON')?.at ?? new Date(0);
    const won_at = at.toISOString();
    return status === 'WON' ? undefined : { status: 'WON', changes: { ...changes, won_at } };
  }
  if (!isOurs) return undefined;
  if (facts.stage === 'LOST') return { status: 'LOST', changes, failure: LOST };
  if (facts.stage === 'REJECTED') return { status: 'REJECTED', changes, failure: REJECTED };
  if (facts.stage === 'REPRESENTED' && status === 'SUBMITTED')
    return {
      status: 'PENDING_RESPONSE',
      changes: { ...changes, respond_by: respondBy(facts) },
      credits: true,
    };
  const isBeyond = facts.stage === 'PREARBITRATION' || facts.stage === 'ARBITRATION';
  if (isBeyond && status !== 'PREARBITRATION')
    return { status: 'PREARBITRATION', changes, credits: true };
  return accepted === accepted_at ? undefined : { status, changes, credits: true };
}

const LOST = { code: 'NETWORK_DECIDED', message: 'The card network has decided for the shop' };
const REJECTED = {
  code: 'NETWORK_REJECTED',
  message: 'The card network has not taken the dispute',
};

function respondBy({ events }: DisputeFacts): string {
  const at = events.findLast(({ stage }) => stage === 'REPRESENTED')?.at ?? new Date(0);
  return new Date(at.getTime() + RESPOND_DAYS * DAY_MS).toISOString();
}

function elementsOf(
  { dispute_id: sequence, amount, transaction_token }: CardDispute,
  { events }: DisputeFacts,
): DisputeElement[] {
  const element = (type: DisputeElement['type'], at: Date | undefined): DisputeElement[] =>
    at ? [{ type, amount, sequence, transaction_token, at: at.toISOString() }] : [];
  return [
    ...element('chargeback', events.find(({ stage }) => stage === 'INITIATED')?.at),
    ...element('representment', events.find(({ stage }) => stage === 'REPRESENTED')?.at),
  ];
}
