import { Type } from 'typebox';
import { CHAINS, explorerTxUrl } from '#chains/evm/port.ts';
import { flatEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { flat, HtmlPage, text } from '#kernel/http/declare/schema.ts';
import { findMarketplaceByLink, type MarketplaceOrder } from './order-store.ts';
import type { PayDeps, PayEffect } from './pay.ts';
import { payMarketplaceOrder } from './pay-order.ts';
import { noPayPage, payPage } from './pay-page.ts';
import { OrderBody, orderBody } from './presenters.ts';

const endpoint = endpoints(flatEnvelope);

type Deps = PayDeps & {
  readonly payments: PayEffect;
  follow(order: MarketplaceOrder): Promise<void>;
};

/** Beyond the contract: payment from the user's managed wallet, and the payment page. */
export const payRoutes = (deps: Deps): Route[] => [
  endpoint('POST /marketplace/orders/{order_id}/pay', {
    name: 'marketplace.pay',
    movesMoney: true,
    auth: 'user',
    errors: [
      'NOT_FOUND',
      'WALLET_NOT_FOUND',
      'INVALID_STATUS',
      'CONFLICT',
      'INSUFFICIENT_FUNDS',
      'NOT_READY',
      'PROVIDER_REJECTED',
      'PROVIDER_UNAVAILABLE',
    ],
    summary: "Pays one's order from the managed wallet that it names, once",
    params: Type.Object({ order_id: text(100) }),
    reply: {
      200: flat({
        order: OrderBody,
        transaction: Type.Object({
          tx_hash: Type.String(),
          chain_id: Type.String(),
          status: Type.String(),
          explorer_url: Type.String(),
        }),
      }),
    },
    fault: 'Failed to pay order',
    async handler({ caller, params: { order_id }, request, operation }) {
      const { order, tx } = await payMarketplaceOrder(deps, {
        caller,
        request,
        operation,
        order_id,
      });
      const { hash: tx_hash, status } = tx;
      const explorer_url = explorerTxUrl(CHAINS[order.chain_id], tx_hash);
      return {
        order: orderBody(order),
        transaction: { tx_hash, chain_id: order.chain_id, status, explorer_url },
      };
    },
  }),

  endpoint('GET /marketplace/orders/{order_id}/pay', {
    name: 'marketplace.showPayment',
    auth: 'public',
    errors: ['NOT_FOUND'],
    summary:
      'A page for people: what to pay, and whether it was paid. The link with its key is in the order',
    params: Type.Object({ order_id: text(100) }),
    query: Type.Object({ key: Type.Optional(Type.String({ maxLength: 100 })) }),
    reply: { 200: HtmlPage, 404: HtmlPage },
    async handler({ params, query: { key = '' }, db }) {
      const order = await findMarketplaceByLink(db, params.order_id, key);
      return order ? payPage(order) : noPayPage();
    },
  }),
];
