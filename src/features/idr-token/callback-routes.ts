import type { IncomingHttpHeaders } from 'node:http';
import { Type } from 'typebox';
import type { Route } from '#kernel/http/route.ts';
import { flat, Json } from '#kernel/http/schema.ts';
import type { GatewayNews } from '#providers/gateway/port.ts';
import type { IdrBase } from './deps.ts';
import { endpoint } from './envelope.ts';
import { findMint } from './mint-store.ts';
import { type NewsInbox, takeNews } from './news.ts';
import { findRedeem } from './redeem-store.ts';

/** Takes news of pay-outs that others have asked the gateway for. */
export type HearPayout = (news: GatewayNews, isGenuine: boolean) => Promise<void>;

export interface CallbackDeps extends IdrBase {
  readonly payments: NewsInbox;
  readonly payouts: NewsInbox;
  readonly hearPayout?: HearPayout | undefined;
}

const reply = { 200: flat({ message: Type.String() }) };
const THANKS = { message: 'Callback received' };

/** The gateway tells of payments and bank transfers (decisions: Addresses). */
export const callbackRoutes = (deps: CallbackDeps): Route[] => [
  endpoint('POST /idrtoken/callback/payment', {
    auth: 'public',
    summary: 'The gateway tells of a payment; without its token it is only a hint',
    // A gateway sends many from one address.
    limit: 'authenticated',
    body: Json,
    reply,
    fault: 'Failed to take the callback',
    async handler({ body, request: { headers }, db }) {
      const news = deps.gateway.readPaymentNews(body);
      // Anybody may call: what names nothing of ours is not worth a row.
      if (news && (await findMint(db, { reference_id: news.reference })))
        await takeNews(deps, deps.payments, news, isTrusted(deps, headers));
      return THANKS;
    },
  }),

  endpoint('POST /idrtoken/callback/transfer', {
    auth: 'public',
    summary: 'The gateway tells of a bank transfer; without its token it is only a hint',
    limit: 'authenticated',
    body: Json,
    reply,
    fault: 'Failed to take the callback',
    async handler({ body, request: { headers }, db }) {
      const news = deps.gateway.readPayoutNews(body);
      if (news === undefined) return THANKS;
      if (await findRedeem(db, { reference_id: news.reference }))
        await takeNews(deps, deps.payouts, news, isTrusted(deps, headers));
      else await deps.hearPayout?.(news, deps.gateway.isGenuine(headers));
      return THANKS;
    },
  }),
];

const isTrusted = ({ config, gateway }: IdrBase, headers: IncomingHttpHeaders): boolean =>
  config.MOCK_MODE || gateway.isGenuine(headers);
