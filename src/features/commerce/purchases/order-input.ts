import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { type AppError, fail } from '#kernel/error.ts';
import { named } from '#kernel/http/declare/named.ts';
import type { Fault } from '#kernel/http/declare/route.ts';
import {
  AmountInput,
  explained,
  Json,
  Nullable,
  nameInput,
  text,
} from '#kernel/http/declare/schema.ts';
import type { PurchaseOrderedProduct, PurchaseRecipient } from './store.ts';

const optional = (maxLength: number) => Type.Optional(Nullable(text(maxLength, 0)));

/** A product as step 2 answers it; the fields that an order needs are required. */
export const ProductInput = named('PurchaseProductInput', {
  title: text(300),
  priceText: text(64),
  description: optional(2000),
  image: optional(2048),
  site: optional(100),
  url: optional(2048),
  page_seal: Type.Optional(
    explained(
      Nullable(text(12_000, 0)),
      'As step 2 answered it: proves for half an hour what the page said of its product',
    ),
  ),
});

const unread = Type.Optional(Json);

/** Step 3a's answer, with all fields. The order trusts none of them. */
export const PricingInput = named('PurchasePricingInput', {
  original: Type.Object({ amount: AmountInput, currency: text(8), formatted: unread }),
  usdc: Type.Object({ amount: AmountInput, formatted: unread }),
  conversion_rate: unread,
  route: unread,
  quote: Type.Optional(text(2000)),
  quote_expires_at: unread,
});

export const RecipientInput = named('PurchaseRecipientInput', {
  name: nameInput(120),
  phone: text(40),
  address: text(500),
  notes: optional(1000),
});

/** The same fields in a body that moves no money, where unknown fields are ignored. */
export const outsideOrders = <T extends TProperties>(
  name: string,
  { properties }: TObject<T>,
): TObject<T> => named(name, properties);

/** A product as a caller brings it, with the seal of its page where there is one. */
export type GivenProduct = PurchaseOrderedProduct & { readonly page_seal: string | null };

export const purchaseProductOf = (given: Static<typeof ProductInput>): GivenProduct => ({
  title: given.title,
  priceText: given.priceText,
  description: given.description || null,
  image: given.image || null,
  site: given.site || null,
  url: given.url || null,
  page_seal: given.page_seal || null,
});

export const recipientOf = (given: Static<typeof RecipientInput>): PurchaseRecipient => ({
  name: given.name,
  phone: given.phone,
  address: given.address,
  notes: given.notes || null,
});

/** `{error, required[]}`: the required fields, with the faults of given ones in `details`. */
export const lacking =
  (message: string, required: readonly string[]) =>
  (faults: readonly Fault[]): AppError =>
    fail('VALIDATION_ERROR', message, {
      details: faults.map(({ field, message: wrong }) => ({ field, message: wrong })),
      extra: { required: [...required] },
    });
