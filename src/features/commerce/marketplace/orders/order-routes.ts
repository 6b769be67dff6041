import { Type } from 'typebox';
import { CHAIN_KEYS } from '#chains/evm/port.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { pageOfCountedList } from '#kernel/db/counted-list.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { flatEnvelope } from '#kernel/http/declare/envelope.ts';
import { badFields } from '#kernel/http/declare/faults.ts';
import { filterQuery, requireNear } from '#kernel/http/declare/page.ts';
import { endpoints, type Fault, type Route } from '#kernel/http/declare/route.ts';
import {
  DecimalInput,
  Email,
  flat,
  integerInput,
  Json,
  nameInput,
  oneOfWords,
  Timestamp,
  text,
} from '#kernel/http/declare/schema.ts';
import { SOURCES } from '#providers/catalogue/port.ts';
import type { MarketDeps } from '../deps.ts';
import { createOrder } from './create-order.ts';
import { findOrder, type MarketplaceOrder, ORDERS } from './order-store.ts';
import { payPageUrl } from './pay-page.ts';
import { OrderBody, orderBody, usdcText } from './presenters.ts';
import { accessDenied, ORDER_STATUSES, orderNotFound } from './states.ts';

const endpoint = endpoints(flatEnvelope);

/** Orders (contract part 2, Marketplace). */
export const orderRoutes = (deps: MarketDeps): Route[] => [
  createRoute(deps),
  readRoute(deps),
  listRoute(),
];

const MISSING = 'Missing required fields: product, recipient, wallet_address';
const REQUIRED = ['product', 'recipient', 'wallet_address'];

/** The contract's words where one of the three is missing; else the faults of each. */
function invalidOrder(faults: readonly Fault[]): AppError {
  const error = badFields(faults);
  const lacking = faults.some(({ field, missing }) => missing && REQUIRED.includes(field));
  return lacking ? fail('MISSING_FIELDS', MISSING, { details: error.details }) : error;
}

const ProductId = Type.Unsafe<string | number>({ type: ['string', 'integer'], maxLength: 100 });
const Said = Type.Optional(Type.String({ maxLength: 5000 }));
const Unread = Type.Optional(Json);
/** A product as a search answers it, with all fields. */
const Asked = Type.Object({
  productId: Type.Optional(ProductId),
  id: Type.Optional(ProductId),
  title: Said,
  description: Said,
  image: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 5000 })),
  url: Said,
  source: Type.Optional(oneOfWords(SOURCES)),
  vendor: Type.Optional(
    Type.Object({
      name: Said,
      marketplace: Said,
      shop_name: Said,
      shop_url: Said,
      shop_location: Said,
    }),
  ),
  pricing: Type.Optional(
    Type.Object({
      price: Type.Optional(DecimalInput),
      currency: Said,
      original_price: Type.Optional(DecimalInput),
      original_currency: Said,
      shipping: Type.Optional(DecimalInput),
      total: Type.Optional(DecimalInput),
      fx_rate: Unread,
    }),
  ),
  images: Unread,
  availability: Unread,
  metadata: Unread,
});

const Recipient = Type.Object({
  name: nameInput(200),
  phone: Type.Optional(text(40)),
  address: text(1000),
  email: Type.Optional(Email),
  notes: Type.Optional(text(1000, 0)),
});

const createRoute = (deps: MarketDeps): Route =>
  endpoint('POST /marketplace/orders', {
    name: 'marketplace.order',
    creates: 'marketplace_order',
    movesMoney: true,
    auth: 'user',
    errors: [
      'WALLET_NOT_FOUND',
      'WALLET_ACCESS_DENIED',
      'MISSING_FIELDS',
      'NOT_FOUND',
      'CONFLICT',
      'PRICE_CHANGED',
      'INVALID_WALLET_FORMAT',
      'LIMIT_EXCEEDED',
      'NOT_READY',
      'PROVIDER_UNAVAILABLE',
    ],
    summary:
      'Orders a product for USDC at the price its marketplace asks now, and answers how to pay it',
    description:
      'A plain transfer of the exact amount from `wallet_address` pays the order, so that the wallet has to be the caller’s: managed here, or proven by `POST /wallet-proofs` or `POST /extauth/auth/link-wallet`. In mock mode a wallet outside need not be proven.',
    body: Type.Object({
      product: Asked,
      recipient: Recipient,
      wallet_address: text(100),
      chain_id: Type.Optional(oneOfWords(CHAIN_KEYS)),
    }),
    reply: {
      200: flat({
        order: OrderBody,
        payment_details: Type.Object({
          order_id: Type.String(),
          usdc_amount: Type.String(),
          contract_address: Type.String(),
          chain_id: Type.String(),
          wallet_address: Type.String(),
          payment_url: Type.String(),
          expires_at: Timestamp,
        }),
      }),
    },
    invalid: invalidOrder,
    fault: 'Failed to create order',
    async handler({ caller, body, request, operation }) {
      const { phone = null, email = null, notes = null, ...recipient } = body.recipient;
      const order = await createOrder(deps, {
        caller,
        request,
        operation,
        product: body.product,
        recipient: { ...recipient, phone, email, notes },
        wallet_address: body.wallet_address,
        chain_id: body.chain_id ?? firstChain(),
      });
      return {
        order: orderBody(order),
        payment_details: {
          order_id: order.order_id,
          usdc_amount: usdcText(order.units),
          contract_address: order.contract_address,
          chain_id: order.chain_id,
          wallet_address: order.wallet_address,
          payment_url: payPageUrl(deps, order),
          expires_at: order.expires_at,
        },
      };
    },
  });

/** The contract's default is the chain that it lists first. */
function firstChain() {
  const [first] = CHAIN_KEYS;
  if (first === undefined) throw new Error('There are no chains');
  return first;
}

const readRoute = (deps: MarketDeps): Route =>
  endpoint('GET /marketplace/orders/{order_id}', {
    name: 'marketplace.getOrder',
    auth: 'user',
    errors: ['ACCESS_DENIED', 'NOT_FOUND'],
    summary: "How one's order stands; an admin reads those of the own client",
    params: Type.Object({ order_id: text(100) }),
    reply: { 200: flat({ order: OrderBody, payment_url: Type.String() }) },
    fault: 'Failed to read order',
    async handler({ caller, params, db }) {
      const order = await findOrder(db, params.order_id, tenantScopeOf(caller));
      if (order === undefined) throw await refused(db, params.order_id);
      return { order: orderBody(order), payment_url: payPageUrl(deps, order) };
    },
  });

/** The contract's 403 for another user's order: its id is random, so a caller who has it knows of the order. */
const refused = async (db: Db, order_id: string): Promise<AppError> =>
  (await findOrder(db, order_id)) ? accessDenied() : orderNotFound();

/** The highest page number. */
const OFFSET_MAX = 10_000_000;

const listRoute = (): Route =>
  endpoint('GET /marketplace/orders', {
    name: 'marketplace.listOrders',
    csv: 'orders',
    auth: 'user',
    history: true,
    errors: ['INVALID_PAGINATION'],
    summary: "One's own orders, newest first",
    query: Type.Object({
      limit: Type.Optional(integerInput(1, 100)),
      offset: Type.Optional(integerInput(0, OFFSET_MAX)),
      status: Type.Optional(oneOfWords(ORDER_STATUSES)),
      ...filterQuery('its order_id'),
    }),
    reply: {
      200: flat({
        orders: Type.Array(OrderBody),
        pagination: Type.Object({
          total: Type.Integer(),
          limit: Type.Integer(),
          offset: Type.Integer(),
          has_more: Type.Boolean(),
        }),
      }),
    },
    fault: 'Failed to list orders',
    async handler({ caller: { user_id }, query, db }) {
      const { limit = 10, offset = 0, status } = query;
      const place = { limit, offset };
      const wish = { ...query, facets: { payment_status: status } };
      requireNear(place, wish);
      const { rows, ...more } = await pageOfCountedList<MarketplaceOrder>(
        db,
        { list: ORDERS, owner: user_id },
        place,
        wish,
      );
      return { orders: rows.map(orderBody), pagination: { ...place, ...more } };
    },
  });
