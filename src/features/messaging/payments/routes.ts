import { Type } from 'typebox';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { MetadataPatch } from '#kernel/http/declare/caller-names.ts';
import { cursorPage, cursorQuery, uuidCursorReader } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { filterQuery } from '#kernel/http/declare/page.ts';
import { endpoints, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import {
  DecimalInput,
  explained,
  IdInput,
  oneOfWords,
  stamped,
  text,
} from '#kernel/http/declare/schema.ts';
import { uuidOfObjectId } from '#kernel/object-id.ts';
import { mergeMetadata } from '#kernel/object-names/merge-metadata.ts';
import { NAMELESS, namesReaderOf } from '#kernel/object-names/object-names.ts';
import {
  findPayments,
  type ListedPayment,
  listPayments,
} from '#kernel/payment-list/payment-list-store.ts';
import type { PaymentsDeps } from './deps.ts';
import { namesOfPayments } from './names.ts';
import {
  ListedPaymentBody,
  PAYMENT_DIRECTIONS,
  PAYMENT_STATUSES,
  shownPayment,
} from './presenters.ts';
import { PaymentMoment, paymentTimeline } from './timeline.ts';

const endpoint = endpoints(codedEnvelope);

const ByPayment = Type.Object({
  payment_id: {
    ...explained(text(200), '`pay_…`, the id of the thing behind it, or our reference of it'),
    examples: ['pay_06r47t7w3rdrmacehw4vm0xgcz'],
  },
});

const FILTERS = {
  ...filterQuery('the caller’s own reference, or ours'),
  rail: Type.Optional(text(40)),
  direction: Type.Optional(explained(oneOfWords(PAYMENT_DIRECTIONS), 'Only what goes that way')),
  status: Type.Optional(oneOfWords(PAYMENT_STATUSES)),
  substatus: Type.Optional(explained(text(40), 'Only what waits for that, such as in_doubt')),
  currency: Type.Optional(text(20)),
  wallet_id: Type.Optional(IdInput),
  user_id: Type.Optional(explained(IdInput, 'For admins: one person’s')),
  provider_reference: Type.Optional(
    explained(text(200), 'What another side calls it: a provider’s id, a hash, a retrieval number'),
  ),
  amount_from: Type.Optional(explained(DecimalInput, 'At least that much, in its currency')),
  amount_to: Type.Optional(explained(DecimalInput, 'At most that much, in its currency')),
  in_doubt: Type.Optional(explained(oneOfWords(['true']), 'Only those with a call in doubt')),
  q: Type.Optional(
    explained(
      text(200),
      'Any name of it: `pay_…`, the id of the thing behind it, the caller’s own reference or ours, what another side calls it',
    ),
  ),
};

/** Users reach their own payments, admins those of their client, the operator all. */
export const paymentRoutes = (deps: PaymentsDeps): Route[] => [
  listRoute(deps),
  getRoute(deps),
  timelineRoute(deps),
  metadataRoute(deps),
];

const listRoute = (deps: PaymentsDeps): Route =>
  endpoint('GET /payments', {
    name: 'payments.list',
    auth: 'user',
    console: true,
    errors: ['INVALID_PAGINATION'],
    summary: 'Lists payments over all rails, newest first',
    query: Type.Object({ ...FILTERS, ...cursorQuery }),
    reply: { 200: stamped({ data: cursorPage(ListedPaymentBody) }) },
    csv: 'data.items',
    fault: 'Failed to list payments',
    async handler({ caller, query, db }) {
      const { wanted, page } = uuidCursorReader(query);
      const of = {
        scope: tenantScopeOf(caller),
        reader: namesReaderOf(caller),
        sources: deps.sources(),
      };
      const { in_doubt, ...filters } = query;
      const narrowed = { ...filters, ...(in_doubt && { in_doubt: true }) };
      const found = await listPayments(db, of, narrowed, wanted);
      const names = await namesOfPayments(db, found.rows, of.reader);
      const show = (row: ListedPayment) =>
        shownPayment(row, names.get(row.payment_id) ?? NAMELESS, deps.words);
      return { data: page(found.rows, ({ payment_id }) => payment_id, show, found.looked) };
    },
  });

const getRoute = (deps: PaymentsDeps): Route =>
  endpoint('GET /payments/{payment_id}', {
    name: 'payments.get',
    auth: 'user',
    console: true,
    errors: ['NOT_FOUND'],
    summary: 'Shows one payment',
    params: ByPayment,
    reply: { 200: stamped({ data: ListedPaymentBody }) },
    fault: 'Failed to read a payment',
    handler: async ({ caller, params, db }) => ({
      data: await showOne(deps, db, caller, await findOne(db, caller, params.payment_id)),
    }),
  });

const timelineRoute = (deps: PaymentsDeps): Route =>
  endpoint('GET /payments/{payment_id}/timeline', {
    name: 'payments.timeline',
    auth: 'user',
    console: true,
    errors: ['NOT_FOUND'],
    summary: 'Shows what has become of a payment, oldest first',
    params: ByPayment,
    reply: { 200: stamped({ data: Type.Object({ items: Type.Array(PaymentMoment) }) }) },
    fault: 'Failed to read the timeline of a payment',
    async handler({ caller, params, db }) {
      const payment = await findOne(db, caller, params.payment_id);
      return { data: { items: await paymentTimeline(db, deps, payment, caller) } };
    },
  });

const metadataRoute = (deps: PaymentsDeps): Route =>
  endpoint('PATCH /payments/{payment_id}/metadata', {
    name: 'payments.setMetadata',
    auth: 'user',
    console: true,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'VERSION_CONFLICT'],
    summary: 'Changes the metadata of a payment, at any time',
    params: ByPayment,
    body: MetadataPatch,
    atomic: true,
    reply: { 200: stamped({ data: ListedPaymentBody }) },
    fault: 'Failed to change the metadata of a payment',
    async handler({ caller, params, body, db }) {
      const payment = await findOne(db, caller, params.payment_id);
      const { object_type: type, object_id: id, client_id, user_id, rail, kind } = payment;
      const thing = { type, id, client_id, user_id, kind: `${rail}_${kind}` };
      await mergeMetadata(db, thing, { ...body, reader: namesReaderOf(caller) });
      return { data: await showOne(deps, db, caller, payment) };
    },
  });

async function showOne(deps: PaymentsDeps, db: Db, caller: UserCaller, payment: ListedPayment) {
  const names = await namesOfPayments(db, [payment], namesReaderOf(caller));
  return shownPayment(payment, names.get(payment.payment_id) ?? NAMELESS, deps.words);
}

/** Throws NOT_FOUND, and VALIDATION_ERROR where a short number is the id of several things. */
async function findOne(db: Db, caller: UserCaller, id: string): Promise<ListedPayment> {
  const uuid = uuidOfObjectId('pay', id);
  const by = uuid === undefined ? (['object_id', id] as const) : (['payment_id', uuid] as const);
  const [payment, another] = await findPayments(db, tenantScopeOf(caller), by);
  if (!payment) throw fail('NOT_FOUND', 'There is no such payment');
  if (another)
    throw wrongField(
      'payment_id',
      'is the number of several payments: use the id that begins with pay_',
    );
  return payment;
}
