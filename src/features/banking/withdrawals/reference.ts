import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const STATUSES = {
  PENDING_APPROVAL: 'Other people have to approve it; its money is held',
  PENDING: 'It waits for its time; its money is held',
  PROCESSING: 'The bank is asked to pay',
  COMPLETED: 'It has arrived',
  FAILED: 'It was not paid; the money is free again',
  CANCELLED: 'It was called off before the bank was asked; the money is free again',
  RETURNED: 'It had arrived and came back; the amount is in the wallet again, the fee is not',
};

/** What the reference says of this feature beside its declarations. */
export const WITHDRAWALS_WORDS: FeatureWords = {
  tags: {
    withdrawals: {
      group: 'Fiat',
      text: 'Money from a wallet to a bank account, or to a wallet that is kept as a recipient: rupiah by the gateway, all other currencies by the bank. The fee comes on top of the amount, so that what was named arrives.',
    },
  },
  meanings: { withdrawal_id: 'Of a withdrawal; its payment is found by it, too' },
  values: {
    'Withdrawal.status': STATUSES,
    'WithdrawalEventData.status': STATUSES,
    'withdrawals.list.status': STATUSES,
  },
  places: {
    'WithdrawalRecipient.detail': 'BCA ****7890',
    'ReturnedPayout.reason_code': 'AC04',
    'Withdrawal.provider_reference': 'disb-7a1d4b9e',
    'Withdrawal.substatus': 'waiting_for_provider',
  },
  descriptions: {
    'withdrawals.create':
      'The recipient is a bank account or a wallet of the client. An admin prepares it for a user of the client: it then waits for another person’s approval, and is refused where no policy asks for one. Amount and fee are held first. A policy may make it wait; so does a recipient whose account was changed in the last 24 hours (`held_by_policy`). What the bank has not answered within three seconds is answered as `PROCESSING`, and looked up by itself. `payout.succeeded`, `payout.failed` or `payout.returned` follow.',
    'withdrawals.cancel': 'Once the bank is asked, nothing can be called off.',
  },
  origins: [
    [/^withdrawals\.create$/, 'A wallet with money, and a recipient in its currency'],
    [/^withdrawals\.list$/, 'A wallet'],
    [/^withdrawals\.\w+\.withdrawal_id$/, 'withdrawals.create'],
    [/^withdrawals\.\w+\.recipient_id$/, 'recipients.create'],
  ],
};
