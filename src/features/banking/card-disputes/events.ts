import type { Db } from '#kernel/db/db.ts';
import { defineObject } from '#kernel/events/define-object.ts';
import { objectId } from '#kernel/object-id.ts';
import { namesGiven } from '#kernel/object-names/object-names.ts';
import {
  CARD_DISPUTE,
  ShownCardDispute,
  shownCardDispute,
  type WholeDispute,
  wholeDispute,
} from './presenters.ts';
import type { CardDispute } from './store.ts';

const UUID = '019e4d6f-2a7b-7c31-9d52-8f4b6c1a7e30';
const AT = '2026-11-28T03:00:58.447Z';

const disputes = defineObject<WholeDispute, typeof ShownCardDispute>({
  schema: ShownCardDispute,
  since: '2026-11',
  example: {
    dispute_id: objectId('dsp', UUID),
    transaction_id: objectId('ctx', UUID),
    card_id: objectId('crd', UUID),
    user_id: 3,
    reason: 'NOT_RECEIVED',
    amount: '40.00',
    currency: 'USD',
    explanation: 'The parcel has not come, and the shop does not answer.',
    response: null,
    evidence: [{ file_id: objectId('fil', UUID), stage: 'CLAIM' }],
    respond_by: null,
    provisional_credit: { amount: '40.00', refunded: '0.00', credited_at: AT, taken_back_at: null },
    network_events: [{ at: AT, type: 'CHARGEBACK_NO_CREDIT', amount: '40.00', text: null }],
    reference: 'claim-7',
    metadata: {},
    status: 'SUBMITTED',
    substatus: 'waiting_for_provider',
    status_times: { draft_at: AT, submitted_at: AT },
    failure: null,
    in_doubt_since: null,
    next_attempt_at: null,
    version: 3,
    created_at: AT,
    updated_at: AT,
  },
  key: ({ dispute: { client_id, user_id, object_id: id, operation } }) => ({
    client_id,
    user_id,
    id,
    operation,
  }),
  show: shownCardDispute,
}).events(CARD_DISPUTE, {
  draft: 'A payment of a card is disputed; nothing was sent yet',
  submitted: 'A dispute was submitted; the card network is asked for the money',
  pending_response: 'The shop has answered: without a response in time the dispute is lost',
  prearbitration: 'The shop’s answer was contradicted',
  won: 'The network has decided for the holder of the card',
  lost: 'The network has decided for the shop, or the time to respond is over',
  withdrawn: 'The dispute was given up',
  rejected: 'The processor, or the network, has not taken the dispute',
  updated: 'A dispute was edited, credited, or has news of the network',
});

export const CARD_DISPUTE_EVENTS = disputes.types;

/** In the transaction that makes it. */
export const emitNewDispute = (tx: Db, made: Omit<WholeDispute, 'names'>): void =>
  disputes.emit(tx, 'draft', { ...made, names: namesGiven(CARD_DISPUTE) });

/** In the transaction that changes it. */
export async function emitDisputeChange(
  tx: Db,
  before: Pick<CardDispute, 'status'>,
  after: CardDispute,
): Promise<void> {
  const verb =
    before.status === after.status
      ? 'updated'
      : (after.status.toLowerCase() as Lowercase<CardDispute['status']>);
  disputes.emit(tx, verb, await wholeDispute(tx, after, after.client_id));
}
