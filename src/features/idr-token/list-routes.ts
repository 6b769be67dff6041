import { Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { type Kept, pageOfKept, type Wish } from '#kernel/db/kept-list.ts';
import { named } from '#kernel/http/named.ts';
import { filterQuery, requireNear } from '#kernel/http/page.ts';
import type { Route } from '#kernel/http/route.ts';
import { flat, integerInput, words } from '#kernel/http/schema.ts';
import { endpoint } from './envelope.ts';
import { MINT_STATUSES, MINTS, type Mint } from './mint-store.ts';
import { MintRecord, mintRecord, RedeemRecord, redeemRecord } from './presenters.ts';
import { REDEEM_STATUSES, REDEEMS, type Redeem } from './redeem-store.ts';

/** Contract: page (default 1), limit (default 10). Nobody turns more pages than this. */
const PAGES_MAX = 10_000;
const LIMIT_MAX = 100;
const paging = {
  page: Type.Optional(integerInput(1, PAGES_MAX)),
  limit: Type.Optional(integerInput(1, LIMIT_MAX)),
  ...filterQuery('its reference_id'),
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
    history: true,
    summary: "The caller's purchases of tokens, newest first",
    query: Type.Object({ status: Type.Optional(words(MINT_STATUSES)), ...paging }),
    reply: { 200: flat({ data: Type.Array(MintRecord), pagination: Pagination }) },
    fault: 'Failed to list transactions',
    async handler({ caller: { user_id }, query, db }) {
      const { rows, pagination } = await pageNumbered<Mint>(
        db,
        { list: MINTS, owner: user_id },
        query,
      );
      return { data: rows.map(mintRecord), pagination };
    },
  }),

  endpoint('GET /idrtoken/transactions/redeem', {
    name: 'idrTokens.listRedemptions',
    auth: 'user',
    history: true,
    summary: "The caller's redemptions of tokens, newest first",
    query: Type.Object({ status: Type.Optional(words(REDEEM_STATUSES)), ...paging }),
    reply: { 200: flat({ data: Type.Array(RedeemRecord), pagination: Pagination }) },
    fault: 'Failed to list transactions',
    async handler({ caller: { user_id }, query, db }) {
      const { rows, pagination } = await pageNumbered<Redeem>(
        db,
        { list: REDEEMS, owner: user_id },
        query,
      );
      return { data: rows.map(redeemRecord), pagination };
    },
  }),
];

interface Asked extends Wish {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly status?: string | undefined;
}

/** Its `page`th, as the contract counts them. */
async function pageNumbered<Row>(db: Db, of: Kept, asked: Asked) {
  const { page = 1, limit = 10, status } = asked;
  const place = { limit, offset: (page - 1) * limit };
  const wish = { ...asked, facets: { status } };
  requireNear(place, wish);
  const { rows, total } = await pageOfKept<Row>(db, of, place, wish);
  return { rows, pagination: { page, limit, total } };
}
