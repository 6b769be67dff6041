import { Type } from 'typebox';
import { CHAIN_KEYS, CHAINS, explorerTxUrl, isChainKey } from '#chains/evm/port.ts';
import { requireUser, tenantScopeOf, userInScope } from '#kernel/access/tenant-scope.ts';
import type { Clock } from '#kernel/clock.ts';
import { pageOfCountedList } from '#kernel/db/counted-list.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { filterQuery, requireNear, timeQuery } from '#kernel/http/declare/page.ts';
import { endpoints, type Fault, type Route } from '#kernel/http/declare/route.ts';
import {
  Id,
  IdInput,
  integerInput,
  Nullable,
  oneOfWords,
  stamped,
  TextOrNull,
  Timestamp,
  TxHash,
  text,
} from '#kernel/http/declare/schema.ts';
import { findLog, LOG, type LogRow } from './log-store.ts';
import {
  countMovements,
  type MovementCounts,
  type OnchainMovement,
  pageOfMovements,
} from './movement-store.ts';

const endpoint = endpoints(codedEnvelope);
const LIMIT = 50;
const OFFSET_MAX = 1_000_000;
const LOG_STATUSES = ['PENDING', 'CONFIRMED', 'FAILED'] as const;

/**
 * Which part of a history, newest first. A page that is asked for with the `as_of` of an earlier one
 * belongs to the same list, whatever has been added since.
 */
const Paging = {
  limit: Type.Optional(integerInput(1, 100)),
  offset: Type.Optional(integerInput(0, OFFSET_MAX)),
  as_of: Type.Optional(Timestamp),
};

interface Asked {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly as_of?: string | undefined;
  readonly created_to?: string | undefined;
}

/** Nothing newer than the earlier of `as_of` and `created_to` belongs to the list. */
function readPage(clock: Clock, { limit = LIMIT, offset = 0, as_of, created_to }: Asked) {
  const until = new Date(as_of ?? clock.now());
  // A leap second is a good time on paper only, and PostgreSQL knows no year 0.
  if (Number.isNaN(until.getTime()) || until.getUTCFullYear() < 1970)
    throw fail('INVALID_PAGINATION', 'as_of must be a time from an earlier page');
  const ends = [as_of === undefined ? [] : [until.toISOString()], created_to ?? []].flat();
  return { place: { limit, offset }, as_of: until.toISOString(), created_to: ends.toSorted()[0] };
}

/** INVALID_PAGINATION where limit or offset is wrong, VALIDATION_ERROR elsewhere. */
function badPage(faults: readonly Fault[]): AppError {
  const details = faults.map(({ field, message }) => ({ field, message }));
  const page = faults.find(({ field }) => field in Paging);
  if (page) return fail('INVALID_PAGINATION', `${page.field} ${page.message}`, { details });
  const [first] = faults;
  return fail('VALIDATION_ERROR', `${first?.field} ${first?.message}`, { details });
}

/** A record of the log (contract: Onchain transaction log). */
const LogRecord = named('OnchainTransaction', {
  id: Id,
  bw_id: Id,
  tx_type: Type.String(),
  amount: Type.String(),
  tx_hash: Type.String(),
  status: Type.String(),
  destination_wallet: Type.String(),
  tx_flow: Type.String(),
  token_symbol: Type.String(),
  chain_id: Type.String(),
  token_contract: Type.String(),
  gas_fee: Type.String(),
  platform_fee: Type.String(),
  created_at: Timestamp,
  wallet_name: Type.String(),
  wallet_label: Type.String(),
  explorer_url: Type.String(),
});

const explorerUrl = (chain_id: string, hash: string): string => {
  if (!isChainKey(chain_id)) throw new Error(`${chain_id} is no chain`);
  return explorerTxUrl(CHAINS[chain_id], hash);
};

const shownLog = (row: LogRow) => ({
  ...row,
  explorer_url: explorerUrl(row.chain_id, row.tx_hash),
});

const History = Type.Object({
  user_id: Id,
  transactions: Type.Array(LogRecord),
  pagination: Type.Object({
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
    has_more: Type.Boolean(),
    as_of: Timestamp,
  }),
  filters_applied: Type.Object({
    chain_id: Nullable(Type.String()),
    token_symbol: Nullable(Type.String()),
  }),
});

/** What left wallets, newest first, and one of them (contract: GET /onchain/history, /details). */
export const onchainHistoryRoutes = (clock: Clock): Route[] => [
  combinedHistoryRoute(clock),

  endpoint('GET /onchain/history/{user_id}', {
    name: 'onchain.listHistory',
    csv: 'data.transactions',
    auth: 'user',
    history: true,
    errors: ['ACCESS_DENIED', 'USER_NOT_FOUND', 'INVALID_PAGINATION'],
    summary: 'A user’s transactions from managed wallets, newest first',
    params: Type.Object({ user_id: IdInput }),
    query: Type.Object({
      ...Paging,
      chain_id: Type.Optional(oneOfWords(CHAIN_KEYS)),
      token_symbol: Type.Optional(text(32)),
      status: Type.Optional(oneOfWords(LOG_STATUSES)),
      ...filterQuery('the hash of a transaction'),
    }),
    reply: { 200: stamped({ message: Type.String(), data: History }) },
    invalid: badPage,
    async handler({ caller, params: { user_id }, query, db }) {
      const { chain_id, token_symbol, status } = query;
      if (!(await userInScope(db, tenantScopeOf(caller), user_id)))
        throw fail('ACCESS_DENIED', 'You may not read this history');
      const { place, as_of, created_to } = readPage(clock, query);
      const wish = {
        facets: { chain_id, token_symbol, status },
        created_to,
        created_from: query.created_from,
        reference: query.reference?.toLowerCase(),
      };
      requireNear(place, wish);
      const { rows, ...more } = await pageOfCountedList<LogRow>(
        db,
        { list: LOG, owner: user_id },
        place,
        wish,
      );
      return {
        message: 'Transactions retrieved',
        data: {
          user_id,
          transactions: rows.map(shownLog),
          pagination: { ...place, ...more, as_of },
          filters_applied: { chain_id: chain_id ?? null, token_symbol: token_symbol ?? null },
        },
      };
    },
  }),

  endpoint('GET /onchain/details/{tx_hash}', {
    name: 'onchain.get',
    auth: 'user',
    errors: ['TRANSACTION_NOT_FOUND', 'INVALID_TX_HASH'],
    summary: 'One transaction by its hash',
    params: Type.Object({ tx_hash: TxHash }),
    reply: {
      200: stamped({
        message: Type.String(),
        data: Type.Object({
          transaction: Type.Intersect([LogRecord, Type.Object({ user_id: Id })]),
          requested_by: Id,
          access_level: Type.Union([Type.Literal('owner'), Type.Literal('admin')]),
        }),
      }),
    },
    invalid: () => fail('INVALID_TX_HASH', 'tx_hash must be 0x and 64 hex digits'),
    async handler({ caller, params: { tx_hash }, db }) {
      const row = await findLog(db, tenantScopeOf(caller), tx_hash.toLowerCase(), caller.user_id);
      if (!row) throw fail('TRANSACTION_NOT_FOUND', 'Transaction not found');
      const access_level = row.user_id === caller.user_id ? ('owner' as const) : ('admin' as const);
      return {
        message: 'Transaction retrieved',
        data: { transaction: shownLog(row), requested_by: caller.user_id, access_level },
      };
    },
  }),
];

const ShownMovement = named('WalletMovement', {
  transaction_id: Type.String(),
  nonce: TextOrNull,
  transaction_type: Type.String(),
  amount: Type.String(),
  token: Type.String(),
  from_chain: Type.String(),
  to_chain: Type.String(),
  recipient_address: Type.String(),
  status: Type.String(),
  tx_hash: TextOrNull,
  mint_tx_hash: TextOrNull,
  created_at: Timestamp,
  updated_at: Timestamp,
  is_crosschain: Type.Boolean(),
  is_cancellable: Type.Boolean(),
});

/** Transfers across chains and sends on one, together (contract: GET /transactions/{user_id}/history). */
const combinedHistoryRoute = (clock: Clock): Route =>
  endpoint('GET /transactions/{user_id}/history', {
    name: 'onchain.listEverything',
    csv: 'data.transactions',
    auth: 'user',
    history: true,
    errors: ['USER_NOT_FOUND', 'INVALID_PAGINATION'],
    summary: 'Everything that left a user’s wallets, across chains or on one, newest first',
    params: Type.Object({ user_id: IdInput }),
    query: Type.Object({ ...Paging, ...timeQuery }),
    reply: {
      200: stamped({
        message: Type.String(),
        data: Type.Object({
          transactions: Type.Array(ShownMovement),
          pagination: Type.Object({
            current_page: Type.Integer(),
            per_page: Type.Integer(),
            offset: Type.Integer(),
            total_returned: Type.Integer(),
            has_more: Type.Boolean(),
            as_of: Timestamp,
          }),
          stats: Type.Object({
            total_transactions: Type.Integer(),
            completed_transactions: Type.Integer(),
            pending_transactions: Type.Integer(),
            success_rate: Type.Number({ description: 'Percent of all that are completed' }),
          }),
        }),
      }),
    },
    invalid: badPage,
    async handler({ caller, params: { user_id }, query, db }) {
      await requireUser(db, tenantScopeOf(caller), user_id);
      const { place, as_of, created_to } = readPage(clock, query);
      const times = { created_from: query.created_from, created_to };
      const [{ rows, total }, counts] = await Promise.all([
        pageOfMovements(db, user_id, place, times),
        countMovements(db, user_id),
      ]);
      const { limit, offset } = place;
      return {
        message: 'Transactions retrieved',
        data: {
          transactions: rows.map(shownMovement),
          pagination: {
            current_page: Math.floor(offset / limit) + 1,
            per_page: limit,
            offset,
            total_returned: rows.length,
            has_more: offset + rows.length < total,
            as_of,
          },
          stats: statsOf(counts),
        },
      };
    },
  });

const shownMovement = (row: OnchainMovement) => ({
  ...row,
  from_chain: nameOf(row.from_chain),
  to_chain: nameOf(row.to_chain),
});

const nameOf = (chain: string): string => (isChainKey(chain) ? CHAINS[chain].name : chain);

const statsOf = ({ total, completed, pending }: MovementCounts) => ({
  total_transactions: total,
  completed_transactions: completed,
  pending_transactions: pending,
  success_rate: total === 0 ? 0 : Math.round((completed * 10_000) / total) / 100,
});
