import { Type } from 'typebox';
import { CHAIN_KEYS } from '#chains/evm/port.ts';
import { tenantScopeOf, userInScope } from '#kernel/access/tenant-scope.ts';
import type { Clock } from '#kernel/clock.ts';
import { codedEnvelope } from '#kernel/http/envelope.ts';
import { type AppError, fail } from '#kernel/http/error.ts';
import { endpoints, type Fault, type Route } from '#kernel/http/route.ts';
import {
  Id,
  IdInput,
  integerInput,
  Nullable,
  stamped,
  Timestamp,
  TxHash,
  text,
  words,
} from '#kernel/http/schema.ts';
import { findLog, pageOfLog } from './read-store.ts';
import { LogRecord, shownLog } from './shapes.ts';

const endpoint = endpoints(codedEnvelope);
const LIMIT = 50;
const OFFSET_MAX = 1_000_000;

/**
 * Which part of a history, newest first. A page that is asked for with the `as_of` of an earlier one
 * belongs to the same list, whatever has been added since.
 */
export const Paging = {
  limit: Type.Optional(integerInput(1, 100)),
  offset: Type.Optional(integerInput(0, OFFSET_MAX)),
  as_of: Type.Optional(Timestamp),
};

export function readPage(
  clock: Clock,
  query: {
    readonly limit?: number | undefined;
    readonly offset?: number | undefined;
    readonly as_of?: string | undefined;
  },
) {
  const { limit = LIMIT, offset = 0, as_of } = query;
  const until = new Date(as_of ?? clock.now());
  // A leap second is a good time on paper only, and PostgreSQL knows no year 0.
  if (Number.isNaN(until.getTime()) || until.getUTCFullYear() < 1970)
    throw fail('INVALID_PAGINATION', 'as_of must be a time from an earlier page');
  return { limit, offset, as_of: until.toISOString() };
}

/** INVALID_PAGINATION where limit or offset is wrong, VALIDATION_ERROR elsewhere. */
export function badPage(faults: readonly Fault[]): AppError {
  const details = faults.map(({ field, message }) => ({ field, message }));
  const page = faults.find(({ field }) => field in Paging);
  if (page) return fail('INVALID_PAGINATION', `${page.field} ${page.message}`, { details });
  const [first] = faults;
  return fail('VALIDATION_ERROR', `${first?.field} ${first?.message}`, { details });
}

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
export const historyRoutes = (clock: Clock): Route[] => [
  endpoint('GET /onchain/history/{user_id}', {
    auth: 'user',
    summary: 'A user’s transactions from managed wallets, newest first',
    params: Type.Object({ user_id: IdInput }),
    query: Type.Object({
      ...Paging,
      chain_id: Type.Optional(words(CHAIN_KEYS)),
      token_symbol: Type.Optional(text(32)),
    }),
    reply: { 200: stamped({ message: Type.String(), data: History }) },
    invalid: badPage,
    async handler({ caller, params: { user_id }, query, db }) {
      const { chain_id, token_symbol } = query;
      if (!(await userInScope(db, tenantScopeOf(caller), user_id)))
        throw fail('ACCESS_DENIED', 'You may not read this history');
      const page = readPage(clock, query);
      const { rows, total } = await pageOfLog(db, user_id, page, { chain_id, token_symbol });
      const { limit, offset, as_of } = page;
      return {
        message: 'Transactions retrieved',
        data: {
          user_id,
          transactions: rows.map(shownLog),
          pagination: { total, limit, offset, has_more: offset + rows.length < total, as_of },
          filters_applied: { chain_id: chain_id ?? null, token_symbol: token_symbol ?? null },
        },
      };
    },
  }),

  endpoint('GET /onchain/details/{tx_hash}', {
    auth: 'user',
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
