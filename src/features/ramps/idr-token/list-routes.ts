import { type TObject, Type } from 'typebox';
import {
  type CountedList,
  type CountedRows,
  type ListRequest,
  pageOfCountedList,
} from '#kernel/db/counted-list.ts';
import type { Db } from '#kernel/db/db.ts';
import { named } from '#kernel/http/declare/named.ts';
import { filterQuery, requireNear } from '#kernel/http/declare/page.ts';
import type { OperationName, Route, RouteId } from '#kernel/http/declare/route.ts';
import { explained, flat, integerInput, oneOfWords } from '#kernel/http/declare/schema.ts';
import { idrTokenEndpoint } from './envelope.ts';
import {
  IdrTokenMintRecord,
  IdrTokenRedeemRecord,
  mintRecord,
  redeemRecord,
} from './presenters.ts';
import { MINT_STATUSES, MINTS, type Mint } from './purchase/store.ts';
import { REDEEM_STATUSES, REDEEMS, type Redeem } from './redemption/store.ts';

/** Contract: page (default 1), limit (default 10). No caller turns more pages than this. */
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
  listRoute<Mint>('GET /idrtoken/transactions/mint', {
    name: 'idrTokens.listMints',
    summary: "The caller's purchases of tokens, newest first",
    filter:
      '`CANCELLED` are those that lapsed unpaid; `FAILED` the gateway refused, could not be minted, or were refunded (`payment_status` `REFUNDED`)',
    list: MINTS,
    statuses: MINT_STATUSES,
    shape: IdrTokenMintRecord,
    show: mintRecord,
  }),
  listRoute<Redeem>('GET /idrtoken/transactions/redeem', {
    name: 'idrTokens.listRedemptions',
    summary: "The caller's redemptions of tokens, newest first",
    filter: '`FAILED` are those that the bank refused or sent back',
    list: REDEEMS,
    statuses: REDEEM_STATUSES,
    shape: IdrTokenRedeemRecord,
    show: redeemRecord,
  }),
];

interface Listed<Row> {
  readonly name: OperationName;
  readonly summary: string;
  readonly list: CountedList;
  readonly statuses: readonly string[];
  /** What its words mean, where the contract does not say so. */
  readonly filter: string;
  readonly shape: TObject;
  show(row: Row): Record<string, unknown>;
}

const listRoute = <Row>(
  id: RouteId,
  { name, summary, list, statuses, filter, shape, show }: Listed<Row>,
): Route =>
  idrTokenEndpoint(id, {
    name,
    summary,
    auth: 'user',
    history: true,
    csv: 'data',
    errors: ['INVALID_PAGINATION'],
    query: Type.Object({
      status: Type.Optional(explained(oneOfWords(statuses), filter)),
      ...paging,
    }),
    reply: { 200: flat({ data: Type.Array(shape), pagination: Pagination }) },
    fault: 'Failed to list transactions',
    async handler({ caller: { user_id }, query, db }) {
      const { rows, pagination } = await pageNumbered<Row>(db, { list, owner: user_id }, query);
      return { data: rows.map(show), pagination };
    },
  });

interface PageQuery extends ListRequest {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly status?: string | undefined;
}

/** Its `page`th, as the contract counts them. */
async function pageNumbered<Row>(db: Db, of: CountedRows, query: PageQuery) {
  const { page = 1, limit = 10, status } = query;
  const place = { limit, offset: (page - 1) * limit };
  const filter = { ...query, facets: { status } };
  requireNear(place, filter);
  const { rows, total } = await pageOfCountedList<Row>(db, of, place, filter);
  return { rows, pagination: { page, limit, total } };
}
