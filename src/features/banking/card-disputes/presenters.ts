import { type Static, Type } from 'typebox';
import { keptBySeller, smaller } from '#features/banking/card-payments/card-payments.ts';
import type { Db } from '#kernel/db/db.ts';
import { doubtsOf } from '#kernel/effects/doubts.ts';
import { namesShown } from '#kernel/http/declare/caller-names.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import {
  explained,
  Id,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { type Doubt, shownState, stateFields } from '#kernel/http/declare/state-fields.ts';
import { MoneyText } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import { objectId } from '#kernel/object-id.ts';
import {
  NAMELESS,
  type NamesReader,
  namesOf,
  type ObjectNames,
} from '#kernel/object-names/object-names.ts';
import { DISPUTE_REASONS } from '#providers/issuing/port.ts';
import {
  type CardDispute,
  creditsOf,
  DISPUTE_STATUSES,
  type DisputeCredit,
  type DisputeFile,
  type DisputeStatus,
  filesOfDisputes,
  type NetworkEvent,
  networkEventsOf,
  UNDER_WAY,
} from './store.ts';

/** The type of its events, by which its names are kept. */
export const CARD_DISPUTE = 'card_dispute';

const Credit = named('ProvisionalCredit', {
  amount: MoneyText,
  refunded: explained(
    MoneyText,
    'What the shop has given back of it by itself: that is no longer credited',
  ),
  credited_at: Timestamp,
  taken_back_at: explained(Nullable(Timestamp), 'When it was taken back: the dispute was not won'),
});
const NetworkEventField = named('CardDisputeEvent', {
  at: Timestamp,
  type: explained(Type.String(), 'As the processor calls it'),
  amount: Nullable(MoneyText),
  text: TextOrNull,
});

export const ShownCardDispute = named('CardDispute', {
  dispute_id: objectIdField('dsp'),
  transaction_id: objectIdField('ctx'),
  card_id: objectIdField('crd'),
  user_id: Id,
  reason: oneOfWords(DISPUTE_REASONS),
  amount: MoneyText,
  currency: Type.String(),
  explanation: explained(Type.String(), 'What has happened, in its holder’s words'),
  response: explained(TextOrNull, 'What its holder has said to the shop’s answer'),
  evidence: explained(
    Type.Array(
      named('CardDisputeEvidence', {
        file_id: objectIdField('fil'),
        stage: oneOfWords(['CLAIM', 'RESPONSE'] as const),
      }),
    ),
    'Files that go along',
  ),
  respond_by: explained(Nullable(Timestamp), 'Without a response until then it is lost'),
  provisional_credit: explained(Nullable(Credit), 'What its holder has until it is decided'),
  network_events: Type.Array(NetworkEventField),
  ...namesShown,
  ...stateFields(DISPUTE_STATUSES),
});

/** A dispute with all that an answer shows of it. */
export interface WholeDispute {
  readonly dispute: CardDispute;
  readonly names: ObjectNames;
  readonly files: readonly DisputeFile[];
  readonly events: readonly NetworkEvent[];
  /** Of its credit, by the shop itself. */
  readonly refunded?: bigint | undefined;
  readonly doubt?: Doubt | undefined;
}

const WAITS: Readonly<
  Partial<Record<DisputeStatus, 'waiting_for_person' | 'waiting_for_provider'>>
> = {
  DRAFT: 'waiting_for_person',
  SUBMITTED: 'waiting_for_provider',
  PENDING_RESPONSE: 'waiting_for_person',
  PREARBITRATION: 'waiting_for_provider',
};

export function shownCardDispute({
  dispute,
  names,
  files,
  events,
  refunded = 0n,
  doubt,
}: WholeDispute): Static<typeof ShownCardDispute> {
  const money = (units: bigint) => format({ asset: dispute.currency, units });
  const { credited_at, taken_back_at } = dispute;
  return {
    dispute_id: dispute.object_id,
    transaction_id: objectId('ctx', dispute.payment_id),
    card_id: objectId('crd', dispute.card_id),
    user_id: dispute.user_id,
    reason: dispute.reason,
    amount: money(dispute.amount),
    currency: dispute.currency,
    explanation: dispute.explanation,
    response: dispute.response,
    evidence: files.map(({ file_id, stage }) => ({ file_id: objectId('fil', file_id), stage })),
    respond_by: dispute.respond_by,
    provisional_credit:
      credited_at === null
        ? null
        : { amount: money(dispute.amount), refunded: money(refunded), credited_at, taken_back_at },
    network_events: events.map(({ at, type, amount, text }) => ({
      at,
      type,
      amount: amount === null ? null : money(amount),
      text,
    })),
    reference: names.reference,
    metadata: names.metadata,
    ...shownState(dispute, { doubt, waits: WAITS[dispute.status] }),
  };
}

/**
 * What the shop has given back itself of the credit of a dispute: the won ones keep theirs first, then the elder. Of one whose
 * credit was taken back it is what was not there to be taken.
 */
function refundedOf(
  { dispute_id, amount, credited_at, taken_back }: CardDispute,
  beside: { readonly kept: bigint; readonly credits: readonly DisputeCredit[] },
): bigint {
  if (credited_at === null) return 0n;
  if (taken_back !== null) return amount - taken_back;
  const inForce = beside.credits.filter((one) => one.taken_back === null);
  let { kept } = beside;
  const isWon = ({ status }: DisputeCredit) => (status === 'WON' ? 0 : 1);
  for (const one of inForce.toSorted((a, b) => isWon(a) - isWon(b))) {
    const has = smaller(one.amount, kept);
    if (one.dispute_id === dispute_id) return amount - has;
    kept -= has;
  }
  return 0n;
}

/** Disputes with their files, events and names: a few statements for all. */
export async function wholeDisputes(
  db: Db,
  disputes: readonly CardDispute[],
  reader: NamesReader,
): Promise<WholeDispute[]> {
  if (disputes.length === 0) return [];
  const ids = disputes.map(({ dispute_id }) => dispute_id);
  const files = await filesOfDisputes(db, ids);
  const events = await networkEventsOf(db, ids);
  const payments = [...new Set(disputes.map(({ payment_id }) => payment_id))];
  const kept = await keptBySeller(db, payments);
  const credits = await creditsOf(db, payments);
  const objects = disputes.map(({ object_id }) => object_id);
  const names = await namesOf(db, CARD_DISPUTE, objects, reader);
  const open = disputes.filter(
    ({ status }) => UNDER_WAY.includes(status) || status === 'WITHDRAWN',
  );
  const doubts = await doubtsOf(
    db,
    open.map(({ dispute_id }) => dispute_id),
  );
  return disputes.map((dispute) => ({
    dispute,
    names: names.get(dispute.object_id) ?? NAMELESS,
    files: files.get(dispute.dispute_id) ?? [],
    events: events.get(dispute.dispute_id) ?? [],
    refunded: refundedOf(dispute, {
      kept: kept.get(dispute.payment_id) ?? 0n,
      credits: credits.get(dispute.payment_id) ?? [],
    }),
    doubt: doubts.get(dispute.dispute_id),
  }));
}

export async function wholeDispute(
  db: Db,
  dispute: CardDispute,
  reader: NamesReader,
): Promise<WholeDispute> {
  const [one] = await wholeDisputes(db, [dispute], reader);
  return one ?? { dispute, names: NAMELESS, files: [], events: [] };
}
