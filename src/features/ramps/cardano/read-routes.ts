import { Type } from 'typebox';
import type { Cardano, Holdings } from '#chains/cardano/port.ts';
import { requireUser, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { errorEnvelope, flatEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { filterQuery, LIST_MAX, listQuery, pageOf } from '#kernel/http/declare/page.ts';
import { endpoints, Paged, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import {
  flat,
  IdInput,
  Nullable,
  oneOfWords,
  Timestamp,
  text,
} from '#kernel/http/declare/schema.ts';
import { type Asset, convert, format, sumToWire } from '#kernel/money/money.ts';
import { SHOWN_BALANCE, shownBalance, spendableOf } from '#kernel/money/shown-balance.ts';
import type { RampDeps } from './deps.ts';
import { HistoryRecord, recordOf } from './presenters.ts';
import { historyOf, STEP_STATUSES, volumesOf } from './step-store.ts';

/** One of its answers says `success`, though its errors are plain. */
const endpoint = endpoints({ ...errorEnvelope, success: flatEnvelope.success });
const DAYS = 30;

/** Contract part 2, Cardano: history, volume and balance. */
export const readRoutes = (deps: RampDeps): Route[] => [
  endpoint('GET /cardano/history/{user_id}', {
    name: 'cardano.listHistory',
    csv: '',
    auth: 'user',
    history: true,
    errors: ['USER_NOT_FOUND'],
    summary: "What a user's orders have done, newest first",
    params: Type.Object({ user_id: IdInput }),
    query: Type.Object({
      ...listQuery,
      ...filterQuery('its reference_id, the id of an order, or the hash of a transaction'),
      status: Type.Optional(oneOfWords(STEP_STATUSES)),
    }),
    reply: { 200: Type.Array(HistoryRecord) },
    async handler({ caller, params, query, db }) {
      const user_id = await reachable(db, caller, params.user_id);
      const limit = query.limit ?? LIST_MAX;
      const found = await historyOf(db, user_id, { ...query, limit: limit + 1 });
      const { rows, next_before } = pageOf(found, limit, ({ step_id }) => step_id);
      const { treasury } = await deps.cardano.identity();
      return new Paged(
        rows.map((row) => recordOf(row, treasury)),
        next_before,
      );
    },
  }),

  endpoint('GET /cardano/volume/{user_id}', {
    name: 'cardano.getVolume',
    auth: 'user',
    errors: ['USER_NOT_FOUND'],
    summary: "USDC that a user's orders have minted, for each of the last 30 days (UTC)",
    params: Type.Object({ user_id: IdInput }),
    reply: { 200: Type.Array(Type.Object({ date: Type.String(), value: Type.String() })) },
    async handler({ caller, params, db }) {
      const user_id = await reachable(db, caller, params.user_id);
      const until = deps.clock.now().toISOString().slice(0, 10);
      const days = await volumesOf(db, user_id, { until, days: DAYS });
      return days.map(({ date, units }) => ({ date, value: format({ asset: 'USDC', units }) }));
    },
  }),

  endpoint('GET /cardano/balance', {
    name: 'cardano.treasuryBalance',
    auth: 'user',
    errors: ['PROVIDER_UNAVAILABLE'],
    summary: "What the platform's treasury holds, and its value",
    reply: { 200: flat({ data: Balance }) },
    handler: async () => ({ data: await balance(deps, await treasuryOf(deps.cardano)) }),
  }),

  endpoint('GET /cardano/balance/{address}', {
    name: 'cardano.addressBalance',
    auth: 'user',
    errors: ['PROVIDER_UNAVAILABLE'],
    summary: 'What an address holds, and its value',
    params: Type.Object({ address: text(150, 0) }),
    reply: { 200: flat({ data: Balance }) },
    handler: async ({ params }) => ({
      data: await balance(deps, await addressOf(deps.cardano, params.address)),
    }),
  }),
];

const Value = Nullable(Type.Number());
const Balance = named('CardanoBalance', {
  address: Type.String(),
  balances: Type.Object({
    ada: Type.Object({
      amount: Type.String(),
      ...SHOWN_BALANCE,
      lovelace: Type.String(),
      usd_value: Value,
    }),
    usdc: Type.Object({
      amount: Type.String(),
      ...SHOWN_BALANCE,
      policy_id: Type.String(),
      asset_name: Type.String(),
      asset_id: Type.String(),
      usd_value: Value,
    }),
    total_usd_value: Value,
  }),
  network: Type.String(),
  last_updated: Timestamp,
});

async function reachable(db: Db, caller: UserCaller, user_id: number): Promise<number> {
  if (user_id !== caller.user_id) await requireUser(db, tenantScopeOf(caller), user_id);
  return user_id;
}

async function balance(deps: RampDeps, address: string) {
  const { cardano, clock } = deps;
  const { policyId, assetName, assetId } = await cardano.identity();
  const { lovelace, usdc, held } = await holdingsOf(cardano, address);
  const [adaCents, usdcCents] = await Promise.all([
    centsOf(deps, 'ADA', lovelace),
    centsOf(deps, 'USDC', usdc),
  ]);
  const total =
    adaCents === undefined || usdcCents === undefined ? undefined : adaCents + usdcCents;
  return {
    address,
    balances: {
      ada: {
        amount: format({ asset: 'ADA', units: lovelace }),
        ...shownBalance('ADA', spendableOf(lovelace, held.lovelace)),
        lovelace: String(lovelace),
        usd_value: dollars(adaCents),
      },
      usdc: {
        amount: format({ asset: 'USDC', units: usdc }),
        ...shownBalance('USDC', spendableOf(usdc, held.usdc)),
        policy_id: policyId,
        asset_name: assetName,
        asset_id: assetId,
        usd_value: dollars(usdcCents),
      },
      total_usd_value: dollars(total),
    },
    network: cardano.network,
    last_updated: clock.now().toISOString(),
  };
}

/** Whose balance it is where no address is given. */
async function treasuryOf(cardano: Cardano): Promise<string> {
  if (cardano.isConfigured) return (await cardano.identity()).treasury;
  throw fail('VALIDATION_ERROR', 'Address is required and no default set');
}

/** The address may be left out, the slash before it too (contract: Cardano). */
async function addressOf(cardano: Cardano, typed: string): Promise<string> {
  if (typed.trim() === '') return treasuryOf(cardano);
  const address = await cardano.typedAddress(typed);
  if (address === undefined)
    throw wrongField('address', 'is not an address of a Cardano test network');
  return address;
}

async function holdingsOf(cardano: Cardano, address: string): Promise<Holdings> {
  const held = await cardano.holdings(address);
  if (held.kind === 'done') return held.value;
  throw fail('PROVIDER_UNAVAILABLE', 'Cardano cannot be reached at the moment', { retryAfter: 5 });
}

/** Nothing where there is no price. */
async function centsOf({ fx }: RampDeps, asset: Asset, units: bigint) {
  const found = await fx.rate(asset, 'USD');
  if (found.kind !== 'done') return undefined;
  return convert({ asset, units }, found.value.rate, 'USD', 'down').units;
}

const dollars = (units: bigint | undefined): number | null =>
  units === undefined ? null : sumToWire({ asset: 'USD', units });
