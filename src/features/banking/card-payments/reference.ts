import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const STATUSES = {
  DECLINED: 'We, or the client, have said no',
  AUTHORIZED: 'Said yes to; the amount is held',
  PARTIALLY_SETTLED: 'The shop was paid a part; the rest is held',
  SETTLED: 'The shop was paid; nothing is held',
  REVERSED: 'The shop has given it up',
  EXPIRED: 'The shop has not settled it in time',
  REFUNDED: 'The shop has given all of it back',
};

const REASONS = {
  insufficient_funds: 'There is not enough money in the wallet',
  wallet_frozen: 'The wallet is frozen',
  card_not_active: 'The card is not activated yet',
  card_frozen: 'The card is frozen',
  card_closed: 'The card is closed',
  card_expired: 'The time of the card is over',
  single_use_spent: 'The card was for one payment, which it has made',
  limit_transaction: 'It is more than the card may pay at once',
  limit_day: 'It is more than the card may pay in a day',
  limit_week: 'It is more than the card may pay in a week',
  limit_month: 'It is more than the card may pay in a month',
  limit_all_time: 'It is more than the card may pay in all',
  mcc_blocked: 'The card does not pay in this kind of shop',
  country_blocked: 'The card does not pay in this country',
  merchant_blocked: 'The card does not pay in this shop',
  online_blocked: 'The card does not pay online',
  policy_denied: 'A policy denies it',
  user_stopped: 'The account of its owner is stopped',
  wrong_cvv: 'The security code is not the card’s',
  wrong_pin: 'The PIN is not the card’s',
  suspected_fraud: 'Somebody else may have the card',
  client_declined: 'The client’s own system has said no',
  client_timed_out: 'The client’s own system has not answered in time',
  decision_timed_out: 'The decision took too long',
  stand_in_declined: 'The processor has said no in our place',
  unknown_card: 'There is no such card',
  currency_not_supported: 'The card is billed in another currency',
};

/** What the reference says of this feature beside its declarations. */
export const CARD_PAYMENTS_WORDS: FeatureWords = {
  tags: {
    cardTransactions: {
      group: 'Cards',
      title: 'What cards pay',
      text: 'Payments of issued cards: decided in real time, held, settled in parts, reversed, given back. One payment has many messages of the network, and sums that follow from them in whichever order they come.',
    },
    cardDecisions: {
      group: 'Cards',
      title: 'Decisions about cards',
      text: 'What the processor has asked about a card, and what was answered within two seconds.',
    },
  },
  titles: {
    'callbacks.decideCard': 'The processor asks whether a card pays',
    'callbacks.receiveCardNews': 'Webhook of the processor of cards',
  },
  descriptions: {
    'cardTransactions.list': 'Users see those of their own cards, admins those of their client.',
    'cardTransactions.get':
      'What is held is what was said yes to less what was reversed, has expired and was settled. A settlement is final, and booked whatever was held; what the wallet lacks for it its owner owes.',
    'callbacks.decideCard':
      'Basic credentials, and an HMAC of the body where one is set up. A yes is 200 and has its hold, a no is 402. The same question gets the same answer.',
    'callbacks.receiveCardNews':
      'A notification is a hint: the processor is asked for the transaction, which counts as it is there.',
  },
  places: {
    'IssuedCardTransaction.substatus': 'waiting_for_provider',
    'IssuedCardTransaction.net': '12.50',
    'IssuedCardTransaction.merchant_amount': '1900',
    'IssuedCardTransaction.merchant_currency': 'JPY',
    'CardElement.network_reference': '316332702214891',
    'CardPaymentMerchant.id': '445100321000100',
    'CardPaymentMerchant.name': 'Toko Kopi',
    'CardPaymentMerchant.mcc': '5814',
    'CardPaymentMerchant.city': 'Singapore',
    'CardPaymentMerchant.country': 'SG',
    'cardTransactions.list.merchant': 'kopi',
    'CardDecision.client_reason': 'The trip is over',
  },
  values: {
    'IssuedCardTransaction.status': STATUSES,
    'cardTransactions.list.status': STATUSES,
    'CardElement.type': {
      authorization: 'We have said yes',
      decline: 'We have said no',
      increment: 'We have said yes to more',
      reversal: 'The shop has given it up, or a part',
      expiration: 'It was not settled in time',
      settlement: 'The shop was paid, once or in parts',
      refund_authorization: 'The shop has announced to give something back',
      refund: 'The shop has given something back',
      validation: 'A check of the card, of no amount',
      balance_inquiry: 'The balance was asked for',
      advice: 'The processor, or the network, has said yes in our place',
      chargeback: 'The network has taken it back from the shop',
      representment: 'The shop has answered that',
    },
    'CardDecision.type': {
      authorization: 'Whether the card pays',
      balance_inquiry: 'How much is in its wallet',
    },
    'CardDecision.status': {
      PENDING: 'It is being decided',
      RESPONDED: 'It was answered in time',
      TIMED_OUT: 'It was not answered in time, or the answer was not used: nothing is held',
    },
    'CardDecision.decision': { approve: 'Yes', decline: 'No' },
    'CardDecision.reason': REASONS,
    'CardDecision.client_answer': {
      approve: 'It has said yes',
      decline: 'It has said no',
      late: 'It has not answered in time',
      broken: 'It could not be called, or its answer is none',
      busy: 'It has not answered as many questions as it may have at once',
    },
    'CardDecision.decided_by': {
      rules: 'The card, its controls, the wallet, the policies',
      client: 'The client’s own system, or its silence',
      stand_in: 'The processor in our place',
    },
  },
  meanings: {
    decision_id: 'What was decided about a card',
    transaction_id: 'What a card has paid, or was declined for',
    merchant: 'The shop',
    network_reference: 'The network’s number of the payment',
    decided_by: 'Who has decided',
    received_at: 'When the question came',
    responded_at: 'When it was answered',
  },
  origins: [
    [
      /^callbacks\.(decideCard|receiveCardNews)$/,
      'The credentials that the operator has given to the processor of cards',
    ],
    [/^cardTransactions\.\w+\.transaction_id$/, 'cardTransactions.list'],
    [/^cardDecisions\.\w+\.decision_id$/, 'cardTransactions.decisions'],
    [/^cardTransactions\.list\.card_id$/, 'issuedCards.list'],
  ],
};
