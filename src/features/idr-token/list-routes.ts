import { Type } from 'typebox';
import { named } from '#kernel/http/named.ts';
import type { Route } from '#kernel/http/route.ts';
import { flat, integerInput, words } from '#kernel/http/schema.ts';
import { endpoint } from './envelope.ts';
import { listMints, MINT_STATUSES } from './mint-store.ts';
import { MintRecord, mintRecord, RedeemRecord, redeemRecord } from './presenters.ts';
import { listRedeems, REDEEM_STATUSES } from './redeem-store.ts';
import { countOf } from './reference-store.ts';

/** Contract: page (default 1), limit (default 10). Nobody turns more pages than this. */
const PAGES_MAX = 10_000;
const LIMIT_MAX = 100;
const paging = {
  page: Type.Optional(integerInput(1, PAGES_MAX)),
  limit: Type.Optional(integerInput(1, LIMIT_MAX)),
};
const Pagination = named('NumberedPage', {
  page: Type.Integer(),
  limit: Type.Integer(),
  total: Type.Integer(),
});

/** The caller's purchases and redemptions (contract part 3, IDR token). */
export const listRoutes = (): Route[] => [
  endpoint('GET /idrtoken/transactions/mint', {
    name: 'idrTokens.listMints',
    auth: 'user',
    summary: "The caller's purchases of tokens, newest first",
    query: Type.Object({ status: Type.Optional(words(MINT_STATUSES)), ...paging }),
    reply: { 200: flat({ data: Type.Array(MintRecord), pagination: Pagination }) },
    fault: 'Failed to list transactions',
    async handler({ caller: { user_id }, query: { status, page = 1, limit = 10 }, db }) {
      const [rows, total] = await Promise.all([
        listMints(db, user_id, status, { limit, offset: (page - 1) * limit }),
        countOf(db, 'MINT', user_id, status),
      ]);
      return { data: rows.map(mintRecord), pagination: { page, limit, total } };
    },
  }),

  endpoint('GET /idrtoken/transactions/redeem', {
    name: 'idrTokens.listRedemptions',
    auth: 'user',
    summary: "The caller's redemptions of tokens, newest first",
    query: Type.Object({ status: Type.Optional(words(REDEEM_STATUSES)), ...paging }),
    reply: { 200: flat({ data: Type.Array(RedeemRecord), pagination: Pagination }) },
    fault: 'Failed to list transactions',
    async handler({ caller: { user_id }, query: { status, page = 1, limit = 10 }, db }) {
      const [rows, total] = await Promise.all([
        listRedeems(db, user_id, status, { limit, offset: (page - 1) * limit }),
        countOf(db, 'REDEEM', user_id, status),
      ]);
      return { data: rows.map(redeemRecord), pagination: { page, limit, total } };
    },
  }),
];
