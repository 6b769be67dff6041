import { Type } from 'typebox';
import { named } from '#kernel/http/declare/named.ts';

/** Any value: what is wrong with it is listed by its line, and does not refuse the others. */
const loose = (description: string, example: string | number) =>
  Type.Optional(Type.Unsafe<unknown>({ description, examples: [example] }));

const AccountInput = named('BatchAccountInput', {
  bank_code: loose('The bank, as the requirements name it', 'BCA'),
  account_number: loose('The account there', '1234567890'),
  wallet_id: loose('Of a wallet of the same client', 4),
  network: loose('Of an address on a chain', 'base'),
  address: loose('On a chain', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'),
  tag: loose('Of an address on the XRP Ledger', 7),
});

const RecipientInput = named('BatchRecipientInput', {
  name: loose('The holder of the account', 'Siti Rahma'),
  kind: loose('`bank` or `wallet`', 'bank'),
  country: loose('Of a bank account: ISO 3166', 'ID'),
  currency: loose('That of the wallet that pays, or what its quote buys', 'IDR'),
  details: Type.Optional(AccountInput),
});

/** A line of a batch in JSON. */
const ItemInput = named('BatchItemInput', {
  recipient_id: loose(
    'A recipient of the wallet’s owner, or `recipient`',
    'rcp_06f4t3xet5c77bsdh7wedf8g8s',
  ),
  recipient: Type.Optional(RecipientInput),
  amount: loose('What arrives, as decimal text or an exact number', '150000'),
  reference: loose(
    'Up to 100 printable ASCII characters without blanks, never paid twice over all batches; made where it is left out',
    'salary-11-siti',
  ),
  note: loose('For the payee, up to 140 characters', 'Salary of November'),
});

const ITEMS_MAX = 10_000;
export const ItemsInput = Type.Array(ItemInput, { minItems: 1, maxItems: ITEMS_MAX });
