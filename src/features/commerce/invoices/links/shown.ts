import { type Static, Type } from 'typebox';
import { defineObject } from '#kernel/events/define-object.ts';
import { namesShown } from '#kernel/http/declare/caller-names.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import {
  explained,
  Id,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { shownState, stateFields } from '#kernel/http/declare/state-fields.ts';
import { MoneyText } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import { objectId } from '#kernel/object-id.ts';
import type { ObjectNames } from '#kernel/object-names/object-names.ts';
import { INVOICE_METHODS } from '../payment-store.ts';
import { LINK_STATUSES, LINK_USAGES, type PaymentLink } from './store.ts';

/** With what its caller calls it. */
export type NamedLink = PaymentLink & { readonly names: ObjectNames };

export const ShownLink = named('PaymentLinkEventData', {
  link_id: objectIdField('lnk'),
  wallet_id: explained(Id, 'Where the money arrives'),
  title: Type.String(),
  currency: Type.String(),
  amount: explained(Nullable(MoneyText), 'Null where the payer names it'),
  min: Nullable(MoneyText),
  max: Nullable(MoneyText),
  usage: oneOfWords(LINK_USAGES),
  max_payments: Nullable(Type.Integer()),
  open: explained(
    Type.Integer(),
    'Invoices of it that can be paid now; each has one of the places',
  ),
  paid: explained(Type.Integer(), 'Invoices of it that are paid'),
  methods: explained(
    Nullable(Type.Array(oneOfWords(INVOICE_METHODS))),
    'The ways to pay; null where they are all that the client offers',
  ),
  return_url: TextOrNull,
  expires_at: Nullable(Timestamp),
  ...namesShown,
  ...stateFields(LINK_STATUSES),
});

/** As its merchant sees it. */
export function shownPaymentLink(link: NamedLink): Static<typeof ShownLink> {
  const { currency, amount, least, most, names } = link;
  const money = (units: bigint | null) =>
    units === null ? null : format({ asset: currency, units });
  return {
    link_id: link.object_id,
    wallet_id: link.wallet_id,
    title: link.title,
    currency,
    amount: money(amount),
    min: money(least),
    max: money(most),
    usage: link.usage,
    max_payments: link.max_payments,
    open: link.taken - link.paid,
    paid: link.paid,
    methods: link.methods,
    return_url: link.return_url,
    expires_at: link.expires_at,
    reference: names.reference,
    metadata: names.metadata,
    ...shownState(link, {}),
  };
}

const AT = '2026-11-22T03:00:58.447Z';
const links = defineObject<NamedLink, typeof ShownLink>({
  schema: ShownLink,
  since: '2026-11',
  example: {
    link_id: objectId('lnk', '019e4d6f-2a7b-7c31-9d52-8f4b6c1a7e30'),
    wallet_id: 3,
    title: 'Lamp workshop',
    currency: 'IDR',
    amount: '150000.00',
    min: null,
    max: null,
    usage: 'many',
    max_payments: 20,
    open: 0,
    paid: 0,
    methods: null,
    return_url: null,
    expires_at: null,
    reference: null,
    metadata: {},
    status: 'ACTIVE',
    substatus: null,
    status_times: { active_at: AT },
    failure: null,
    in_doubt_since: null,
    next_attempt_at: null,
    version: 1,
    created_at: AT,
    updated_at: AT,
  },
  key: ({ client_id, user_id, object_id: id }) => ({ client_id, user_id, id }),
  show: shownPaymentLink,
});
const link = links.events('payment_link', {
  created: 'A link was made, by which people pay',
  changed: 'A link was changed, paused or opened again',
  exhausted: 'All payments that a link takes have arrived',
  expired: 'The time of a link is over',
});

/** In the transaction that changes it. */
export const emitLink = link.emit;
export const LINK_EVENTS = link.types;
