import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const STATUSES = {
  OPEN: 'It waits for an answer',
  ACCEPTED: 'It is paid by the transfer that it names, which has a state of its own',
  DECLINED: 'Who was asked does not pay',
  CANCELLED: 'Who has asked took it back',
  EXPIRED: 'It was not answered in time',
};

/** What the reference says of this feature beside its declarations. */
export const PAYMENT_REQUESTS_WORDS: FeatureWords = {
  tags: {
    paymentRequests: {
      group: 'Fiat',
      text: 'People of one client ask one another for money. A request moves none: who is asked pays it by a transfer.',
    },
  },
  descriptions: {
    'paymentRequests.create':
      'A known person finds it in their list; an address without an account gets a message, and its owner finds the request there once they have confirmed the address. A hundred a day and user, to twenty new addresses at the most. `payment_request.created` follows.',
    'paymentRequests.list': 'The asker’s side is `sent`.',
    'paymentRequests.accept':
      'By the person who is asked, once, from a wallet in the same currency or by a quote. Policies for transfers count: the transfer may wait for an approval or a time, and is shown by `transfer_id`. Accepted again by the same person it answers the same. `payment_request.accepted` follows.',
    'paymentRequests.decline': 'By the person who is asked.',
    'paymentRequests.cancel': 'By the person who has asked.',
  },
  values: {
    'PaymentRequest.status': STATUSES,
    'paymentRequests.list.status': STATUSES,
  },
  places: {
    'PaymentRequest.substatus': 'waiting_for_person',
    'PaymentRequest.amount': '12.50',
  },
  meanings: {},
  origins: [
    [/^paymentRequests\.create\.wallet_id$/, 'fiatWallets.open'],
    [/^paymentRequests\.accept\.from_wallet_id$/, 'fiatWallets.open'],
    [/^paymentRequests\.\w+\.request_id$/, 'paymentRequests.create'],
  ],
};
