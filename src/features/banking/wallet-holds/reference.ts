import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const STATUSES = {
  OPEN: 'Nothing was taken yet',
  PARTIALLY_CAPTURED: 'A part was taken; the rest is held',
  CAPTURED: 'All was taken, or the last part; nothing is held',
  VOIDED: 'What was left was given up',
};

/** What the reference says of this feature beside its declarations. */
export const WALLET_HOLDS_WORDS: FeatureWords = {
  tags: {
    walletHolds: {
      group: 'Fiat',
      text: 'Money that a payer sets aside for another person, such as a deposit, until that person takes it or gives it up.',
    },
  },
  descriptions: {
    'walletHolds.place':
      'The payer does so, and cannot take it back: what is not taken is free again at its end. `wallet_hold.placed` follows.',
    'walletHolds.list': 'The payer’s side is `sent`.',
    'walletHolds.capture':
      'Its payee takes it, in several parts until nothing remains. `final` ends it with this part. Its payer is charged the fee in proportion.',
    'walletHolds.void': 'Its payee does so, or an admin of the client; never its payer.',
  },
  values: {
    'WalletHold.status': STATUSES,
    'walletHolds.list.status': STATUSES,
  },
  places: {
    'WalletHold.substatus': 'waiting_for_person',
    'WalletHold.amount': '80.00',
  },
  meanings: { hold_id: 'Money that a payer has set aside' },
  origins: [
    [/^walletHolds\.place$/, 'cards.topUp'],
    [/^walletHolds\.\w+\.hold_id$/, 'walletHolds.place'],
  ],
};
