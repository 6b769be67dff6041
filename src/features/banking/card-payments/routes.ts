import { Type } from 'typebox';
import { findIssuedCard } from '#features/banking/issued-cards/issued-cards.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { cursorPage, cursorQuery, cursorReader } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { timeQuery } from '#kernel/http/declare/page.ts';
import { endpoints, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import { explained, oneOfWords, stamped, textInput } from '#kernel/http/declare/schema.ts';
import { decisionsOfPayment, findCardDecision } from './decision-store.ts';
import {
  CARD_PAYMENT_STATUSES,
  type CardPayment,
  findCardPayment,
  listCardPayments,
} from './payment-store.ts';
import {
  ShownCardDecision,
  ShownCardPayment,
  shownCardDecision,
  shownCardPayment,
  withElements,
} from './presenters.ts';

const endpoint = endpoints(codedEnvelope);
const transaction = Type.Object({ transaction_id: objectIdInput('ctx') });
const MERCHANT_MAX = 100;

const listRoute = endpoint('GET /cards/{card_id}/transactions', {
  name: 'cardTransactions.list',
  auth: 'user',
  errors: ['NOT_FOUND', 'INVALID_PAGINATION'],
  summary: 'Lists what a card has paid, and where it was declined, newest first',
  params: Type.Object({ card_id: objectIdInput('crd') }),
  query: Type.Object({
    ...cursorQuery,
    status: Type.Optional(oneOfWords(CARD_PAYMENT_STATUSES)),
    merchant: Type.Optional(explained(textInput(MERCHANT_MAX), 'A part of the shop’s name')),
    ...timeQuery,
  }),
  reply: { 200: stamped({ data: cursorPage(ShownCardPayment) }) },
  csv: 'data.items',
  fault: 'Failed to list card transactions',
  async handler({ caller, params, query, db }) {
    const card = await findIssuedCard(db, tenantScopeOf(caller), params.card_id);
    if (!card) throw fail('NOT_FOUND', 'Card not found');
    const { wanted, page } = cursorReader({ ...query, card: card.card_id });
    const { rows, looked } = await listCardPayments(db, card.card_id, query, wanted);
    const found = await withElements(db, rows);
    return { data: page(found, ({ payment }) => payment.serial, shownCardPayment, looked) };
  },
});

const readRoute = endpoint('GET /cards/transactions/{transaction_id}', {
  name: 'cardTransactions.get',
  auth: 'user',
  errors: ['NOT_FOUND'],
  summary: 'Shows what a card has paid, with each message of the network about it',
  params: transaction,
  reply: { 200: stamped({ data: ShownCardPayment }) },
  fault: 'Failed to read the card transaction',
  async handler({ caller, params, db }) {
    const [shown] = await withElements(db, [await required(db, caller, params)]);
    if (!shown) throw notFound();
    return { data: shownCardPayment(shown) };
  },
});

const decisionsRoute = endpoint('GET /cards/transactions/{transaction_id}/decisions', {
  name: 'cardTransactions.decisions',
  auth: 'user',
  errors: ['NOT_FOUND'],
  summary: 'Lists what was decided about a card transaction, oldest first',
  params: transaction,
  reply: { 200: stamped({ data: Type.Object({ items: Type.Array(ShownCardDecision) }) }) },
  fault: 'Failed to list decisions',
  async handler({ caller, params, db }) {
    const { payment_id } = await required(db, caller, params);
    return { data: { items: (await decisionsOfPayment(db, payment_id)).map(shownCardDecision) } };
  },
});

const decisionRoute = endpoint('GET /cards/decisions/{decision_id}', {
  name: 'cardDecisions.get',
  auth: 'user',
  errors: ['NOT_FOUND'],
  summary: 'Shows a decision about a card',
  params: Type.Object({ decision_id: objectIdInput('cdc') }),
  reply: { 200: stamped({ data: ShownCardDecision }) },
  fault: 'Failed to read the decision',
  async handler({ caller, params, db }) {
    const decision = await findCardDecision(db, tenantScopeOf(caller), params.decision_id);
    if (!decision) throw fail('NOT_FOUND', 'Decision not found');
    return { data: shownCardDecision(decision) };
  },
});

/** What cards have paid, and what was decided about it. */
export const cardPaymentRoutes: Route[] = [listRoute, readRoute, decisionsRoute, decisionRoute];

const notFound = () => fail('NOT_FOUND', 'Card transaction not found');

async function required(
  db: Db,
  caller: UserCaller,
  { transaction_id }: { readonly transaction_id: string },
): Promise<CardPayment> {
  const payment = await findCardPayment(db, tenantScopeOf(caller), transaction_id);
  if (!payment) throw notFound();
  return payment;
}
