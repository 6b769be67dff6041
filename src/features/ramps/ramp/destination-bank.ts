import { Type } from 'typebox';
import { named } from '#kernel/http/declare/named.ts';
import { explained, nameInput, text } from '#kernel/http/declare/schema.ts';

/** A bank account that a request names. */
export const DestinationBank = named('DestinationBank', {
  bank_name: nameInput(60),
  bank_code: Type.Optional(
    explained(
      text(20),
      'The BIC, or the national code (BSB, IFSC, routing number); without it bank_name is read as one',
    ),
  ),
  account_number: Type.String({ pattern: '^[0-9A-Za-z -]{4,40}$' }),
  account_name: nameInput(120),
});
