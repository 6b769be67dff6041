import { Type } from 'typebox';
import { findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { filterQuery, pageOf, pageQuery } from '#kernel/http/declare/page.ts';
import { endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import { explained, IdInput, MessageField, text } from '#kernel/http/declare/schema.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import { type CallbackDeps, ReportedStatus, takeCallback } from './callback.ts';
import { cardEnvelope } from './envelope.ts';
import { entryOf, HistoryEntry, WholeTransaction, wholeOf } from './events.ts';
import { FEE_PERCENT } from './fee.ts';
import { type HistoryPage, listByStatus, listByWallet } from './history-store.ts';
import { findCardByReference, getTransaction } from './store.ts';
import type { CardDeps } from './transaction.ts';

const endpoint = endpoints(cardEnvelope);
const PAGE = 100;
const PAGE_MAX = 500;

/** Contract part 3, card checkout: fee, look-ups and the network's callback. */
export const cardReadRoutes = (deps: CardDeps & CallbackDeps): Route[] => [
  endpoint('GET /card-checkout/card/fee', {
    name: 'cards.getFee',
    auth: 'public',
    summary: 'The platform’s fee of a checkout, in percent',
    reply: { 200: Type.Object({ fee_percentage: Type.Number() }) },
    handler: async () => ({ fee_percentage: FEE_PERCENT }),
  }),

  endpoint('GET /card-checkout/card/reference/{reference_id}', {
    name: 'cards.getByReference',
    auth: 'user',
    errors: ['TRANSACTION_NOT_FOUND'],
    summary: 'A card transaction by its reference id or the retrieval reference number',
    params: Type.Object({ reference_id: text(100) }),
    reply: { 200: Type.Object({ message: Type.String(), data: WholeTransaction }) },
    fault: 'Failed to retrieve transaction',
    async handler({ caller, params, db }) {
      const row = await findCardByReference(db, tenantScopeOf(caller), params.reference_id);
      if (!row) throw fail('TRANSACTION_NOT_FOUND', 'Transaction not found');
      const original =
        row.original_id === null ? undefined : await getTransaction(db, row.original_id);
      return { message: 'Transaction retrieved successfully', data: wholeOf(row, original) };
    },
  }),

  endpoint('GET /card-checkout/card/history', {
    name: 'cards.listHistory',
    csv: 'data',
    auth: 'user',
    history: true,
    errors: ['WALLET_NOT_FOUND'],
    summary: "A wallet's card transactions, newest first; `before` an id for older ones",
    query: Type.Object({
      wallet_id: IdInput,
      ...pageQuery(PAGE_MAX, ID_MAX),
      ...filterQuery('its reference id or retrieval reference number'),
      status: Type.Optional(explained(text(40), 'Where it is given a page may be short and go on')),
    }),
    reply: { 200: Type.Object({ message: Type.String(), data: Type.Array(HistoryEntry) }) },
    invalid: (faults) =>
      fail(
        'VALIDATION_ERROR',
        faults.some(({ field }) => field === 'wallet_id')
          ? 'Wallet ID is required.'
          : `${faults[0]?.field ?? 'query'} ${faults[0]?.message ?? 'is invalid'}`,
        { details: faults.map(({ field, message }) => ({ field, message })) },
      ),
    fault: 'Failed to retrieve transaction history',
    async handler({ caller, query, db }) {
      const wallet = await findFiatWallet(db, tenantScopeOf(caller), query.wallet_id);
      if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
      const { rows, next_before } = await historyPage(db, wallet.wallet_id, query);
      const message = 'Transaction history retrieved successfully';
      return new Paged({ message, data: rows.map(entryOf) }, next_before);
    },
  }),

  endpoint('POST /card-checkout/card/callback', {
    name: 'callbacks.receiveCard',
    auth: 'public',
    errors: ['TRANSACTION_NOT_FOUND', 'PROVIDER_UNAVAILABLE'],
    summary: 'The card network reports that the status of a transaction has changed',
    body: Type.Object({ transactionIdentifier: text(40), status: ReportedStatus }),
    reply: { 200: MessageField },
    fault: 'Failed to process callback',
    async handler({ body }) {
      const { transactionIdentifier: identifier, status } = body;
      await takeCallback(deps, { identifier, said: status });
      return { message: 'Callback processed successfully' };
    },
  }),
];

type HistoryQuery = Partial<HistoryPage> & { readonly status?: string | undefined };

async function historyPage(db: Db, wallet_id: number, { status, ...page }: HistoryQuery) {
  const { limit = PAGE } = page;
  if (status !== undefined) return listByStatus(db, wallet_id, status, { ...page, limit });
  const found = await listByWallet(db, wallet_id, { ...page, limit: limit + 1 });
  return pageOf(found, limit, ({ id }) => id);
}
