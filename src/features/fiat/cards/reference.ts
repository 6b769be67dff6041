import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const CARDS_WORDS: FeatureWords = {
  tags: {
    cards: {
      group: 'Cards',
      text: 'Top-ups from cards, what is given back to them and what is pushed to them.',
    },
  },
  titles: {
    'callbacks.receiveCard': 'Webhook of the card network',
    'cards.validate': 'Validate a card in dollars',
    'cards.validateForCurrency': 'Validate a card in a currency',
    'cards.topUp': 'Top up from a card in dollars',
    'cards.topUpCurrency': 'Top up from a card in a currency',
    'cards.refund': 'Refund a card top-up',
    'cards.push': 'Pay to a card',
    'cards.getFee': 'Get the card fee',
    'cards.getByReference': 'Get a card transaction',
    'cards.listHistory': 'List card transactions',
    'cards.writeOffExcess': 'Write off a double refund',
    'cards.decideReversal': 'Decide a reversal',
  },
  descriptions: {
    'cards.validate':
      'The caller needs a USD wallet. The card network checks the card and charges nothing. A declined card is 400 `CARD_DECLINED` with the reason in `details`.',
    'cards.validateForCurrency':
      'The caller needs a wallet of that currency. The card network checks the card and charges nothing. A declined card is 400 `CARD_DECLINED` with the reason in `details`.',
    'cards.topUp':
      'The holder of the card pays `amount`. The platform keeps the fee of `GET /card-checkout/card/fee`, and the caller’s USD wallet has the rest at once. `payment.succeeded` and `wallet.credited` follow. After a 503 the payment may have been made: `details.reference_id` names it, and `GET /card-checkout/card/reference/{reference_id}` shows its end.',
    'cards.topUpCurrency':
      'The holder of the card pays `amount` in that currency. The platform keeps the fee of `GET /card-checkout/card/fee`, and the caller’s wallet of the currency has the rest at once. `payment.succeeded` and `wallet.credited` follow. After a 503 the payment may have been made: `details.reference_id` names it.',
    'cards.refund':
      'The user who made the checkout calls it, with the same card. The wallet pays the amount less its share of the fee, and the card gets all of it back. One checkout is refunded once. `refund.succeeded` follows.',
    'cards.push':
      'The caller’s wallet of that currency pays, without a fee; the money is set aside first and reaches the card by the card network. `payout.succeeded` follows, or `payout.failed`, and then the wallet has its money back.',
    'cards.getFee':
      'Anybody may call it. `POST /card-checkout/card` takes this share of the amount.',
    'cards.writeOffExcess':
      'Only an admin of the operator may call it. The loss is booked as the platform’s own; the user pays nothing. It ends claims on the card network (`card:…`) and on banks that were paid after the money had gone back (`payout:…`).',
    'cards.decideReversal':
      'Only an admin of the operator may call it, after asking the network. Until then the rest of the top-up is neither taken nor refunded. The decision holds until the network has another word for it.',
    'cards.listHistory':
      'The owner of the wallet reads it. A push to a card is shown with the type `REFUND` and the status `PUSH_PROCESSED`.',
  },
  places: {
    'CardTopUp.status': 'SUCCESS_RECEIVED',
    'CardTransaction.status': 'SUCCESS_RECEIVED',
    'ListedCardTransaction.status': 'SUCCESS_RECEIVED',
    'cards.push.status': 'PUSH_PROCESSED',
    'cards.refund.status': 'REFUND_PROCESSED',
    'AddressVerification.state': 'CA',
    'cards.writeOffExcess.payment': 'card:TOPUP-NFCRADBEHKLMPQGJ',
    'cards.decideReversal.payment': 'card:TOPUP-NFCRADBEHKLMPQGJ',
    'cards.decideReversal.meant': 'REFUND',
  },
  origins: [
    [/^callbacks\.receiveCard\.transactionIdentifier$/, 'cards.topUp'],
    [/^cards\.\w+\.(reference_id|original_reference)$/, 'cards.topUp'],
    [/^cards\.writeOffExcess$/, 'A payment that went back twice, as `GET /desk/work` lists it'],
    [
      /^cards\.decideReversal$/,
      'A refunded top-up that the network calls reversed, as `GET /desk/work` lists it',
    ],
  ],
  answers: [
    [/^retrieval_reference_number$/, '632612000042'],
    [/^street$/, '1 Market Street'],
    [/^city$/, 'San Francisco'],
    [/^postal_code$/, '94105'],
    [/^terminal_id$/, 'ARCHI001'],
    [/^id_code$/, 'ARCHIPAY0000001'],
    [/^payment$/, 'card:TOPUP-NFCRADBEHKLMPQGJ'],
  ],
  meanings: {
    net_amount: 'The amount less the platform’s fee',
    retrieval_reference_number: 'By which the card network knows it',
    transaction_identifier: 'By which the card network knows it, for refunds',
    approval_code: 'Of the card’s issuer',
    transactionIdentifier: 'By which the card network knows the transaction',
  },
};
