import { Type } from 'typebox';
import { CHAINS, isChainKey } from '#chains/evm/port.ts';
import { requireUser, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Clock } from '#kernel/clock.ts';
import { codedEnvelope } from '#kernel/http/envelope.ts';
import { endpoints, type Route } from '#kernel/http/route.ts';
import { IdInput, stamped, TextOrNull, Timestamp } from '#kernel/http/schema.ts';
import { badPage, Paging, readPage } from './history.ts';
import {
  countMovements,
  type Movement,
  type MovementCounts,
  pageOfMovements,
} from './read-store.ts';

const endpoint = endpoints(codedEnvelope);

const Shown = Type.Object({
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
export const combinedHistoryRoute = (clock: Clock): Route =>
  endpoint('GET /transactions/{user_id}/history', {
    auth: 'user',
    summary: 'Everything that left a user’s wallets, across chains or on one, newest first',
    params: Type.Object({ user_id: IdInput }),
    query: Type.Object(Paging),
    reply: {
      200: stamped({
        message: Type.String(),
        data: Type.Object({
          transactions: Type.Array(Shown),
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
      const page = readPage(clock, query);
      const [rows, counts] = await Promise.all([
        pageOfMovements(db, user_id, page),
        countMovements(db, user_id, page),
      ]);
      const { limit, offset, as_of } = page;
      return {
        message: 'Transactions retrieved',
        data: {
          transactions: rows.map(shown),
          pagination: {
            current_page: Math.floor(offset / limit) + 1,
            per_page: limit,
            offset,
            total_returned: rows.length,
            has_more: offset + rows.length < counts.total,
            as_of,
          },
          stats: statsOf(counts),
        },
      };
    },
  });

const shown = (row: Movement) => ({
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
