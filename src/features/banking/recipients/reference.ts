import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const RECIPIENTS_WORDS: FeatureWords = {
  tags: {
    recipients: {
      group: 'Fiat',
      text: 'Whom a user pays: bank accounts in six countries, wallets of the same client, and addresses on chains. The account of a bank is verified by name before it is kept.',
    },
  },
  meanings: {
    fingerprint: 'The same for the same details of one kind',
    bank_code: 'The bank: by its code, or its BIC',
    tag: 'The destination tag of an address of many people',
    details: 'What identifies the account or address, by the requirements of its rail',
  },
  values: {
    kind: {
      bank: 'An account at a bank',
      wallet: 'A wallet of a user of the same client',
      evm: 'An address on an EVM chain, paid in USDC',
      xrpl: 'An address on the XRP Ledger, paid in USDC',
      cardano: 'An address on Cardano, paid in USDC',
    },
    'PayeeVerification.result': {
      MATCH: 'The account is in that name',
      CLOSE_MATCH: 'Nearly: suggested_name is the holder’s name',
      NO_MATCH: 'The account is in another name, or there is none',
      NOT_POSSIBLE: 'The bank has not answered, or tells no names',
    },
    'PayeeVerification.source': {
      gateway: 'The rupiah gateway',
      'bank-host': 'The bank that pays all other currencies',
    },
  },
  descriptions: {
    'recipients.getRequirements':
      'Show a form by it. The same schema validates `details` of `POST /recipients`.',
    'recipients.create':
      'The answer waits up to three seconds for the bank; without one the result is `NOT_POSSIBLE`, and the bank is asked again later (`recipient.verified`). A name that does not match is no refusal here; policies decide about payments to it.',
    'recipients.update':
      '`details` replace all of them. A payment that waits for its time, and was asked for with another account, fails then (`CONTENT_CHANGED`).',
    'recipients.delete': 'Payments made to it stay as they are.',
  },
  answers: [[/^fingerprint$/, '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef']],
  places: {
    'PayeeVerification.suggested_name': 'Siti Rahmawati',
    'RecipientDetails.account_number': '****7890',
    'Recipient.name': 'Siti Rahma',
    'Recipient.currency': 'IDR',
    'Recipient.country': 'ID',
  },
  origins: [
    [/^recipients\.getRequirements$/, 'A country or a currency, where the kind is bank'],
    [/^recipients\.\w+\.recipient_id$/, 'recipients.create'],
  ],
};
