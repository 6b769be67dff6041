import { lockCardPayment } from '#features/banking/card-payments/card-payments.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { convert, format } from '#kernel/money/money.ts';
import type { CardDisputeDeps, DisputingDeps } from './deps.ts';
import { nameEvidence } from './evidence.ts';
import { changeDispute } from './follow.ts';
import { disputableOf } from './make.ts';
import type { CardDispute } from './store.ts';

/** Credited at its submission; more is credited once the network has it. */
const AT_ONCE_CENTS = 50_000n;

/** Sends a draft that is locked to the network. One that was sent is answered as it is. */
export async function submitDispute(
  deps: DisputingDeps,
  tx: Db,
  dispute: CardDispute,
): Promise<CardDispute> {
  if (dispute.status === 'SUBMITTED') return dispute;
  if (dispute.status !== 'DRAFT') throw notAllowedIn(dispute.status, ['DRAFT']);
  await requireStillPaid(tx, dispute);
  await deps.effects.begin(tx, deps.submitting, dispute.dispute_id, { left: {} });
  return changeDispute(deps, tx, dispute, {
    status: 'SUBMITTED',
    credits: isSmall(deps, dispute),
  });
}

/** Throws CONFLICT where the shop has given back since then what the draft is about. */
async function requireStillPaid(
  tx: Db,
  { payment_id, amount, currency }: CardDispute,
): Promise<void> {
  const payment = await lockCardPayment(tx, payment_id);
  const left = payment ? disputableOf(payment) : 0n;
  if (amount <= left) return;
  const most = format({ asset: currency, units: left > 0n ? left : 0n });
  throw fail('CONFLICT', 'The shop has given back what is disputed, or a part of it', {
    details: { most },
  });
}

/** Up to 500 US dollars, by the rates that are known. */
function isSmall({ fx }: CardDisputeDeps, { currency, amount }: CardDispute): boolean {
  if (currency === 'USD') return amount <= AT_ONCE_CENTS;
  const rate = fx.known?.()?.rateOf(currency, 'USD');
  if (rate === undefined) return false;
  return convert({ asset: currency, units: amount }, rate, 'USD', 'up').units <= AT_ONCE_CENTS;
}

/** Contradicts the shop’s answer. Throws INVALID_STATUS and VALIDATION_ERROR. */
export async function respondToDispute(
  deps: DisputingDeps,
  tx: Db,
  dispute: CardDispute,
  said: {
    readonly owner: number;
    readonly response: string;
    readonly evidence: readonly string[];
  },
): Promise<CardDispute> {
  const { dispute_id, status } = dispute;
  const isOver =
    dispute.respond_by !== null && dispute.respond_by <= deps.clock.now().toISOString();
  if (status !== 'PENDING_RESPONSE' || isOver)
    throw notAllowedIn(isOver ? 'LOST' : status, ['PENDING_RESPONSE']);
  const { owner, response, evidence: file_ids } = said;
  await nameEvidence(deps.files, tx, { dispute_id, stage: 'RESPONSE', owner, file_ids });
  await deps.effects.begin(tx, deps.responding, dispute_id, { left: {} });
  return changeDispute(deps, tx, dispute, { status: 'PREARBITRATION', changes: { response } });
}

const WITHDRAWABLE = ['DRAFT', 'SUBMITTED', 'PENDING_RESPONSE', 'PREARBITRATION'] as const;

/** Gives it up. One that is on its way to the network is there first. */
export async function withdrawDispute(
  deps: DisputingDeps,
  tx: Db,
  dispute: CardDispute,
): Promise<CardDispute> {
  const { status, accepted_at, dispute_id } = dispute;
  if (status === 'WITHDRAWN') return dispute;
  const isOnItsWay = status === 'SUBMITTED' && accepted_at === null;
  if (isOnItsWay || !WITHDRAWABLE.some((one) => one === status))
    throw notAllowedIn(status, ['DRAFT', 'PENDING_RESPONSE', 'PREARBITRATION']);
  if (status !== 'DRAFT') await deps.effects.begin(tx, deps.withdrawing, dispute_id, { left: {} });
  return changeDispute(deps, tx, dispute, { status: 'WITHDRAWN' });
}
