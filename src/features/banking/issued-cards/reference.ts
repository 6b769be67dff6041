import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const STATUSES = {
  PENDING: 'The processor makes it',
  INACTIVE: 'Made; it pays once its owner has activated it',
  ACTIVE: 'It pays',
  FROZEN: 'It pays nothing until it is unfrozen',
  CLOSED: 'Closed for good',
  EXPIRED: 'Its time is over',
  FAILED: 'The processor has not made it',
};
const REASONS = {
  USER: 'Its owner wants it no more',
  LOST: 'Its owner has lost it',
  STOLEN: 'Somebody has stolen it',
  FRAUD: 'Somebody else has paid with it',
};

/** What the reference says of this feature beside its declarations. */
export const ISSUED_CARDS_WORDS: FeatureWords = {
  tags: {
    issuedCards: {
      group: 'Cards',
      title: 'Cards on wallets',
      text: 'Virtual cards that pay from a wallet: issued, activated, frozen, replaced and closed. Number, security code and PIN are shown by the processor alone.',
    },
  },
  descriptions: {
    'issuedCards.create':
      'The owner’s identity has to be verified, and the processor to have cards in the currency of the wallet. `PENDING` until it has made the card (`card.issued`), then `INACTIVE`. Ten open cards a person.',
    'issuedCards.list': 'Users see their own cards, admins those of their client.',
    'issuedCards.freeze':
      'By its owner or an admin of the client, who also takes over what the owner has frozen. It counts at once; the processor follows in the background.',
    'issuedCards.unfreeze':
      'What an admin has frozen only an admin unfreezes: 403 `FORBIDDEN` for its owner.',
    'issuedCards.close': 'By its owner or an admin of the client, also while it is frozen.',
    'issuedCards.replace':
      'The new card has the wallet, the name and the controls of the old one, and another number. What an admin has frozen is not replaced.',
    'issuedCards.setControls':
      'Everything is replaced: what is left out is not limited. An admin’s call sets the client’s rules, which count beside the owner’s.',
    'issuedCards.reveal':
      'Asks for a proof first (`STEP_UP_REQUIRED`): answer it by `POST /step-up` and repeat the call with `x-step-up`. The page opens once.',
    'issuedCards.setPin': 'Asks for a proof first, as `POST /cards/{card_id}/reveal`.',
  },
  places: {
    'IssuedCard.last4': '4242',
    'IssuedCard.expiry': '11/30',
    'IssuedCard.name_on_card': 'Siti Rahma',
    'IssuedCard.failure_code': '400047',
  },
  values: {
    'IssuedCard.status': STATUSES,
    'issuedCards.list.status': STATUSES,
    usage: { many: 'Any number of payments', single: 'One payment' },
    interval: {
      transaction: 'A payment',
      day: 'A day',
      week: 'A week',
      month: 'A month',
      all_time: 'The whole life of the card',
    },
    'IssuedCard.frozen_by': { OWNER: 'Its owner', ADMIN: 'An admin of the client' },
    'IssuedCard.closed_reason': REASONS,
    'issuedCards.close.reason': REASONS,
    'issuedCards.replace.reason': REASONS,
  },
  meanings: {
    card_id: 'The card',
    name_on_card: 'Letters, blanks, points, apostrophes and hyphens',
    controls: 'What its owner allows the card to pay',
    client_controls: 'What the client allows the card to pay: both count',
    spending_limits: 'How much it pays in an interval, in its currency',
    allowed: 'It pays nowhere else',
    blocked: 'It does not pay there, whatever is allowed',
    interval: 'Days, weeks from Monday and months are those of the client’s time zone',
  },
  origins: [[/^issuedCards\.\w+\.card_id$/, 'issuedCards.list']],
};
