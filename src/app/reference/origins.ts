import type { Vocabulary } from '#kernel/openapi/vocabulary.ts';

/** Callbacks of providers that no application can send. */
export const ORIGINS: Vocabulary['origins'] = [
  [
    /^callbacks\.receive(Verification|Bank|Partner|WhatsApp|Bot|Telegram|InvoicePayment)$/,
    'The provider’s signature over the bytes; no other party can make it',
  ],
  [
    /^callbacks\.register(WhatsApp|Bot)$/,
    'The verify token that the operator has set at the provider',
  ],
];
