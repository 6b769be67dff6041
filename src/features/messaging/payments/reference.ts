import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const PAYMENTS_WORDS: FeatureWords = {
  tags: {
    payments: {
      group: 'Payments',
      text: 'Every movement of money over every rail as one list, with its state, its references and its timeline.',
    },
  },
  titles: {
    'payments.timeline': 'Get the timeline of a payment',
    'payments.rails': 'Get the state of each rail',
    'payments.figures': 'Get figures of payments',
  },
  descriptions: {
    'payments.list':
      'Users see their own payments, admins those of their client. `q`, `reference`, `provider_reference`, `status` and times are found by an index; with other filters a page looks through 1,000 payments and may be short or empty although the list goes on: go on by `next_cursor` until it is null.',
    'payments.get':
      'The id of the thing behind a payment finds it, too, such as the reference of a card top-up.',
    'payments.timeline':
      'Events, calls to providers, postings and transactions, without their contents.',
    'payments.setMetadata':
      'A null removes a key. Payments that were made without metadata take it, too.',
    'payments.figures':
      'Admins see those of their client, the operator of all clients together or of one. Figures are kept with each payment, so that they are of this moment; those of all clients may lack the last minute.',
    'payments.rails': 'From the latest payments of this service, measured every five minutes.',
  },
  places: {
    'Payment.rail': 'bank',
    'Payment.kind': 'top_up',
    'Payment.amount': '30.00',
    'Payment.currency': 'USD',
    'Payment.fee': '0.00',
    'Payment.our_reference': '7a1d4b9e-52c6-4a8e-9f53-0c7d1f2e6a11',
    'Payment.provider_reference': 'b81ba9f8-1d37-4bd3-a3b3-2b2fbf4c2a90',
    'Payment.refunded_amount': '0.00',
    'Payment.substatus': 'waiting_for_provider',
    'PaymentCounterparty.name': 'First Platypus Bank',
    'PaymentCounterparty.detail': '**** 1111',
    'ObjectFailure.code': 'INSUFFICIENT_FUNDS',
    'ObjectFailure.message': 'The card was declined',
    'ObjectFailure.provider_code': '51',
    'PaymentMoment.status': 'SUCCEEDED',
    'PaymentMoment.amount': '30.00',
    'PaymentObject.type': 'payment',
    'PaymentObject.id': '7a1d4b9e-52c6-4a8e-9f53-0c7d1f2e6a11',
    'PaymentObject.href': '/banklink/topup/7a1d4b9e-52c6-4a8e-9f53-0c7d1f2e6a11/status',
    'PaymentMoment.what': 'event',
    'PaymentMoment.text': 'Money has come, and is in the wallet',
    'RailStatus.rail': 'bank',
    'PaymentFigures.currency': 'USD',
    'PaymentFigures.amount': '4200.00',
    'PaymentFailures.code': 'CARD_DECLINED',
  },
  origins: [[/^payments\.(get|timeline|setMetadata)\.payment_id$/, 'payments.list']],
};
