import { type Static, Type } from 'typebox';
import { FIAT } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { REFERENCE } from '#kernel/caller-names.ts';
import { named } from '#kernel/http/declare/named.ts';
import {
  Email,
  explained,
  IdInput,
  integerInput,
  nameInput,
  oneOfWords,
  textInput,
} from '#kernel/http/declare/schema.ts';
import { MoneyInput } from '#kernel/money/amount-fields.ts';
import { PhoneInput } from '#kernel/phone.ts';
import { INVOICE_METHODS } from './payment-store.ts';
import { FEE_BEARERS, SPLITS_MAX } from './store.ts';

/** From five minutes to thirty days. */
const EXPIRES_S = { least: 300, most: 2_592_000 };
const ITEMS_MAX = 100;
const QUANTITY_MAX = 10_000;

/** An address outside to which a payer is led. */
export const outsideUrl = (description: string) =>
  Type.String({
    pattern: '^https://[^\\s"<>\\\\^`{|}]+$',
    format: 'uri',
    maxLength: 2000,
    examples: ['https://shop.example.com/orders/2041'],
    description,
  });

/** The ways to pay that are offered of those that the client has. */
export const OfferedMethods = Type.Array(oneOfWords(INVOICE_METHODS), {
  minItems: 1,
  uniqueItems: true,
  description: 'The ways to pay it; all that the client offers where they are left out',
});

/** What is asked for, by whom, and who gets what of it. */
export const InvoiceInput = Type.Object({
  amount: MoneyInput,
  currency: oneOfWords(FIAT),
  description: textInput(250),
  wallet_id: Type.Optional(
    explained(IdInput, 'A wallet of one’s own; else that of the currency, which is opened'),
  ),
  customer: Type.Optional(
    named('InvoiceCustomerInput', {
      name: Type.Optional(nameInput(100)),
      email: Type.Optional(Email),
      phone: Type.Optional(PhoneInput),
    }),
  ),
  items: Type.Optional(
    explained(
      Type.Array(
        named('InvoiceItemInput', {
          name: nameInput(100),
          quantity: integerInput(1, QUANTITY_MAX),
          unit_amount: MoneyInput,
        }),
        { maxItems: ITEMS_MAX },
      ),
      'What is sold; it has to add up to the amount',
    ),
  ),
  expires_in_s: Type.Optional(
    explained(integerInput(EXPIRES_S.least, EXPIRES_S.most), 'A day where it is left out'),
  ),
  methods: Type.Optional(OfferedMethods),
  return_url: Type.Optional(outsideUrl('Where the page leads the payer afterwards')),
  recovery_url: Type.Optional(outsideUrl('Where it leads them once the time to pay is over')),
  fee_bearer: Type.Optional(
    explained(
      oneOfWords(FEE_BEARERS),
      'With `customer` the fee comes on top of the amount; `merchant` where it is left out',
    ),
  ),
  allow_partial: Type.Optional(
    explained(Type.Boolean(), 'Whether it can be paid in parts; `false` where it is left out'),
  ),
  split: Type.Optional(
    explained(
      Type.Array(
        named('InvoiceSplitInput', {
          wallet_id: explained(IdInput, 'A wallet of a person of the same client'),
          amount: Type.Optional(MoneyInput),
          percent: Type.Optional(
            explained(
              Type.String({
                pattern: '^(100(\\.0{1,2})?|[1-9]?\\d(\\.\\d{1,2})?)$',
                examples: ['2.5'],
              }),
              'Of the amount of the invoice, instead of an amount',
            ),
          ),
          reference: Type.String({
            minLength: 1,
            maxLength: 100,
            pattern: REFERENCE,
            examples: ['courier-7'],
            description: 'What you call the part',
          }),
        }),
        { maxItems: SPLITS_MAX },
      ),
      'Who else gets a part, in the posting that pays the invoice',
    ),
  ),
});
export type InvoiceInput = Static<typeof InvoiceInput>;
