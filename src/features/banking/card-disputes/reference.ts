import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const STATUSES = {
  DRAFT: 'Nothing was sent yet',
  SUBMITTED: 'The network is asked for the money',
  PENDING_RESPONSE: 'The shop has answered; its holder has to respond',
  PREARBITRATION: 'The shop’s answer was contradicted; the network decides',
  WON: 'The network has decided for the holder of the card',
  LOST: 'The network has decided for the shop, or there was no response in time',
  WITHDRAWN: 'Its holder, or an admin, has given it up',
  REJECTED: 'The processor, or the network, has not taken it',
};
const REASONS = {
  FRAUD: 'Somebody else has paid with the card',
  NOT_RECEIVED: 'What was paid for has not come',
  NOT_AS_DESCRIBED: 'It is not what was promised, or is broken',
  DUPLICATE: 'The same was charged twice',
  WRONG_AMOUNT: 'Another amount was charged than was agreed',
  CANCELLED: 'It was cancelled, and charged all the same',
  REFUND_MISSING: 'The shop has promised a refund that has not come',
};
const STAGES = {
  CLAIM: 'Of the dispute itself',
  RESPONSE: 'Of the response to the shop’s answer',
};

/** What the reference says of this feature beside its declarations. */
export const CARD_DISPUTES_WORDS: FeatureWords = {
  tags: {
    cardDisputes: {
      group: 'Cards',
      title: 'Disputes of card payments',
      text: 'What a card has paid, disputed with the shop through the card network: with documents, a provisional credit, and times that have to be kept.',
    },
  },
  descriptions: {
    'cardDisputes.create':
      'Within 120 days of the settlement, up to what was settled and not given back; one open dispute a payment (409 CONFLICT with its id). The payment shows `disputed`.',
    'cardDisputes.list': 'Users see their own, admins those of their client.',
    'cardDisputes.submit':
      'Up to 500 US dollars are credited at once, more once the network has the dispute. A credit that is not earned is taken back; what the wallet lacks then its owner owes.',
    'cardDisputes.respond':
      'Possible while it is PENDING_RESPONSE, until `respond_by`: without a response it is LOST.',
    'cardDisputes.withdraw':
      'Not while it is on its way to the network. What the network decides for its holder after any other end counts all the same: it is WON then.',
  },
  places: {
    'CardDispute.substatus': 'waiting_for_provider',
    'CardDispute.explanation': 'The parcel has not come, and the shop does not answer.',
    'CardDispute.response': 'The tracking number belongs to another parcel.',
    'CardDisputeEvent.type': 'REPRESENTMENT_RECEIVED',
    'CardDisputeEvent.text': 'Delivered on 12 November',
    'cardDisputes.create.explanation': 'The parcel has not come, and the shop does not answer.',
    'cardDisputes.update.explanation': 'The parcel has not come, and the shop does not answer.',
    'cardDisputes.respond.response': 'The tracking number belongs to another parcel.',
  },
  values: {
    'CardDispute.status': STATUSES,
    'cardDisputes.list.status': STATUSES,
    'CardDispute.reason': REASONS,
    'cardDisputes.create.reason': REASONS,
    'cardDisputes.update.reason': REASONS,
    'CardDisputeEvidence.stage': STAGES,
  },
  meanings: {
    dispute_id: 'A dispute of what a card has paid',
    evidence: 'Documents that go to the shop and the network',
    respond_by: 'Until when the shop’s answer can be contradicted',
    provisional_credit: 'Credited until the dispute is decided',
    network_events: 'What the network has said, oldest first',
  },
  origins: [
    [/^cardDisputes\.create\.transaction_id$/, 'cardTransactions.list'],
    [/^cardDisputes\.list\.transaction_id$/, 'cardTransactions.list'],
    [/^cardDisputes\.\w+\.dispute_id$/, 'cardDisputes.create'],
  ],
};
