import { Type } from 'typebox';
import {
  makeBridgeQuote,
  type Quote,
  type QuotedBridge,
  ShownQuote,
  shownQuote,
} from '#features/fiat/fx/fx.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { operatorOnly } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { requireVersion, versionMeant } from '#kernel/http/declare/if-match.ts';
import { named } from '#kernel/http/declare/named.ts';
import { at, endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  integerInput,
  Nullable,
  oneOfWords,
  stamped,
  TextOrNull,
  text,
  textInput,
} from '#kernel/http/declare/schema.ts';
import { MoneyInput, MoneyText, moneyOf } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import type { BridgeDeps } from './deps.ts';
import type { BridgeChain } from './places.ts';
import { isOffered, priceBridge } from './price.ts';
import {
  changeRoute,
  listBridgeRoutes,
  type OfferedMode,
  type OfferedRoute,
} from './route-store.ts';
import { BridgeChainField } from './shapes.ts';

const endpoint = endpoints(codedEnvelope);
const usdc = (units: bigint): string => format({ asset: 'USDC', units });

const MODES = ['fast', 'standard'] as const;
const ModeField = oneOfWords(MODES);

const Times = named('MeasuredSeconds', {
  p50: Nullable(Type.Number()),
  p95: Nullable(Type.Number()),
  of: explained(Type.Integer(), 'How many transfers were measured; a hundred at most'),
});

const ModeBody = named('BridgeMode', {
  mode: ModeField,
  fee: Type.Object({
    flat: explained(MoneyText, 'The platform’s fee is at least this'),
    bps: explained(Type.Integer(), 'Of the amount, in hundredths of a percent'),
  }),
  min: explained(MoneyText, 'The least amount'),
  max: explained(MoneyText, 'The most'),
  estimated_seconds: explained(Times, 'From the request to the arrival, as measured'),
});

const RouteBody = named('BridgeRoute', {
  route_id: Type.String(),
  from_chain: BridgeChainField,
  to_chain: BridgeChainField,
  modes: Type.Array(ModeBody),
  status: oneOfWords(['UP', 'DEGRADED', 'DOWN']),
  stop_reason: explained(TextOrNull, 'Why the operator has stopped it; null where it is open'),
  daily_cap: explained(MoneyText, 'What may be begun on a UTC day, of all users'),
  version: Type.Integer(),
});

const seconds = (measured: number | null): number | null =>
  measured === null ? null : Math.round(measured * 1000) / 1000;

const shownTimes = ({ p50, p95, of }: OfferedMode) => ({
  p50: seconds(p50),
  p95: seconds(p95),
  of,
});

const statusOf = (deps: BridgeDeps, route: OfferedRoute) => {
  const isThere = [route.from_chain, route.to_chain].every((chain) => isOffered(deps, chain));
  if (route.is_stopped || !isThere) return 'DOWN' as const;
  return route.has_stalled ? ('DEGRADED' as const) : ('UP' as const);
};

const shownRoute = (deps: BridgeDeps, route: OfferedRoute) => ({
  route_id: route.route_id,
  from_chain: route.from_chain as BridgeChain,
  to_chain: route.to_chain as BridgeChain,
  modes: route.modes.map((mode) => ({
    mode: mode.mode as (typeof MODES)[number],
    fee: { flat: usdc(mode.fee_least), bps: mode.fee_bps },
    min: usdc(mode.least),
    max: usdc(mode.most),
    estimated_seconds: shownTimes(mode),
  })),
  status: statusOf(deps, route),
  stop_reason: route.stop_reason,
  daily_cap: usdc(route.daily_cap),
  version: route.version,
});

/** What the bridge offers, and at which price. */
export const bridgeOfferRoutes = (deps: BridgeDeps): Route[] => [
  listRoute(deps),
  changeRouteRoute(deps),
  quoteRoute(deps),
];

const listRoute = (deps: BridgeDeps): Route =>
  endpoint('GET /bridge/routes', {
    name: 'bridge.listRoutes',
    auth: 'key',
    summary: 'Lists the routes of the bridge, with fees, limits and measured times',
    reply: { 200: stamped({ data: Type.Array(RouteBody) }) },
    fault: 'Failed to list routes',
    async handler({ db }) {
      return { data: (await listBridgeRoutes(db)).map((route) => shownRoute(deps, route)) };
    },
  });

const changeRouteRoute = (deps: BridgeDeps): Route =>
  endpoint('PATCH /bridge/routes/{route_id}', {
    name: 'bridge.changeRoute',
    auth: 'admin',
    permit: operatorOnly,
    proof: true,
    errors: ['NOT_FOUND', 'VERSION_CONFLICT'],
    summary:
      'Stops a route at once, opens it again, or sets what may be begun on a day; for the operator',
    params: Type.Object({ route_id: text(40) }),
    body: Type.Object({
      stop_reason: Type.Optional(
        explained(
          Nullable(textInput(500)),
          'Stops the route, for this reason; null opens it again',
        ),
      ),
      daily_cap: Type.Optional(explained(MoneyInput, 'Of all users on a UTC day')),
      version: Type.Optional(integerInput(1, 1_000_000_000)),
    }),
    example: { stop_reason: 'The far chain is being upgraded' },
    reply: { 200: stamped({ data: RouteBody }) },
    atomic: true,
    fault: 'Failed to change the route',
    async handler({ caller, params: { route_id }, body, request, db }) {
      const [before] = await listBridgeRoutes(db, route_id);
      if (!before) throw fail('NOT_FOUND', 'There is no such route');
      const { stop_reason = before.stop_reason } = body;
      requireVersion(before.version, versionMeant(body, request.headers));
      const daily_cap =
        body.daily_cap === undefined
          ? before.daily_cap
          : moneyOf({ amount: body.daily_cap, currency: 'USDC' }, 'daily_cap').units;
      const changed = await changeRoute(db, before, { stop_reason, daily_cap });
      if (!changed) throw fail('VERSION_CONFLICT', 'It has been changed since it was read');
      const details = { route_id, stop_reason, daily_cap: usdc(daily_cap) };
      await logActivity(db, { action: 'BRIDGE_ROUTE_CHANGED', actor: caller, details, request });
      return { data: shownRoute(deps, { ...before, ...changed }) };
    },
  });

const ShownBridgeQuote = named('BridgeQuote', {
  ...ShownQuote.properties,
  from_chain: BridgeChainField,
  to_chain: BridgeChainField,
  mode: ModeField,
  recipient_address: Type.String(),
  recipient_tag: Nullable(Type.Integer()),
  platform_fee: MoneyText,
  network_fee: explained(MoneyText, 'What the chains take for the mint and the payment'),
  min_received: explained(MoneyText, 'What arrives at least'),
  estimated_seconds: Times,
});

const quoteRoute = (deps: BridgeDeps): Route =>
  endpoint('POST /bridge/quotes', {
    name: 'bridge.createQuote',
    auth: 'user',
    movesMoney: true,
    errors: [
      ...(['RAIL_NOT_AVAILABLE', 'AMOUNT_BELOW_MINIMUM', 'LIMIT_EXCEEDED'] as const),
      ...(['429 LIMIT_EXCEEDED', 'PROVIDER_UNAVAILABLE', 'DESTINATION_TAG_REQUIRED'] as const),
    ],
    summary: 'Makes a price for one transfer over the bridge, which holds for a minute',
    body: Type.Object({
      from_chain: BridgeChainField,
      to_chain: BridgeChainField,
      amount: explained(MoneyInput, 'USDC that leave the source, the fees among them'),
      recipient_address: explained(text(150), 'Who gets it, on the second chain'),
      recipient_tag: Type.Optional(
        explained(
          integerInput(0, 4_294_967_295),
          'Whose it is at that address, where its ledger knows tags',
        ),
      ),
      mode: Type.Optional({ ...ModeField, default: 'standard' }),
      max_fee: Type.Optional(explained(MoneyInput, 'The most that both fees may come to')),
    }),
    reply: { 201: stamped({ data: ShownBridgeQuote }) },
    fault: 'Failed to make the quote',
    async handler({ caller: { user_id, client_id }, body, db }) {
      const { from_chain, to_chain, mode: name = 'standard' } = body;
      const amount = moneyOf({ amount: body.amount, currency: 'USDC' });
      const max_fee =
        body.max_fee === undefined
          ? undefined
          : moneyOf({ amount: body.max_fee, currency: 'USDC' }, 'max_fee');
      const { recipient_address, recipient_tag } = body;
      const to = { to_chain, recipient_address, recipient_tag };
      const wish = { ...to, from_chain, amount, mode: name, max_fee };
      const { route, mode, recipient, platform_fee, network_fee } = await priceBridge(
        deps,
        db,
        client_id,
        wish,
      );
      const now = deps.clock.now();
      const bridge: QuotedBridge = {
        route_id: route.route_id,
        from_chain,
        to_chain,
        mode: name,
        recipient_address: recipient.address,
        recipient_tag: recipient.tag,
        platform_fee: platform_fee.toString(),
        network_fee: network_fee.toString(),
      };
      const received = amount.units - platform_fee - network_fee;
      const sold = amount.units;
      const whose = { user_id, client_id, ms: deps.clock.ms(), rates_at: now.toISOString() };
      const quote = await makeBridgeQuote(db, { ...whose, bridge, sold, received });
      return at(201, { data: shownBridgeQuote(deps, quote, bridge, mode) });
    },
  });

const shownBridgeQuote = (
  { signer }: BridgeDeps,
  quote: Quote,
  bridge: QuotedBridge,
  mode: OfferedMode,
) => ({
  ...shownQuote(quote, signer),
  from_chain: bridge.from_chain as BridgeChain,
  to_chain: bridge.to_chain as BridgeChain,
  mode: mode.mode as (typeof MODES)[number],
  recipient_address: bridge.recipient_address,
  recipient_tag: bridge.recipient_tag ?? null,
  platform_fee: usdc(BigInt(bridge.platform_fee)),
  network_fee: usdc(BigInt(bridge.network_fee)),
  min_received: usdc(quote.to_units),
  estimated_seconds: shownTimes(mode),
});
