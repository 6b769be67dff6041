import { randomUUID } from 'node:crypto';
import type { Address } from 'viem';
import { isChainKey, readBalances } from '#chains/evm/port.ts';
import { managedAddresses } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { toSpendingAppError } from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { findQuote, type Quote, readPolicyMarket, useQuote } from '#features/fiat/fx/fx.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Intent } from '#kernel/effects/runner.ts';
import { type AppError, fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Market } from '#kernel/money/cost.ts';
import { format } from '#kernel/money/money.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { namesGiven } from '#kernel/object-names/object-names.ts';
import { stepUpOf } from '#kernel/policies/operation.ts';
import { endsWithin } from '#kernel/shutdown.ts';
import { transact } from '#kernel/transact.ts';
import type { BridgeDeps } from './deps.ts';
import { driveOn } from './effects.ts';
import { emitBridge } from './events.ts';
import { isBridgeChain } from './places.ts';
import { carriedUnits } from './postings.ts';
import { requireOpen } from './price.ts';
import { lockOpenRoute, type RouteRow, spendRouteDay } from './route-store.ts';
import {
  type BridgeRow,
  findBridge,
  insertBridgeTransfer,
  type NewBridgeTransfer,
  writeStep,
} from './store.ts';

export interface BridgeOrder {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly operation: string;
  readonly quote_id: string;
  readonly source: string;
}

/** How long a caller waits to see it arrive; jobs do the rest. */
const PATIENCE_MS = 8_000;

/**
 * Begins a transfer by a quote, from a managed address of the caller's, and follows it while the caller waits. A
 * repetition of the request answers the same transfer.
 */
export async function beginBridge(deps: BridgeDeps, order: BridgeOrder): Promise<BridgeRow> {
  const known = await findBridge(deps.db, { operation: order.operation });
  if (known) return follow(deps, known);
  const { caller, quote_id } = order;
  const quote = await findQuote(deps.db, { quote_id, user_id: caller.user_id });
  const source = await sourceFor(deps, order, quote);
  const market = await readPolicyMarket(deps.fx);
  const begun = await transact(deps.db, (tx) => begin(deps, tx, { ...order, source, market }));
  return follow(deps, begun.row, begun.intent);
}

/** As far as it comes while a caller waits. */
async function follow(deps: BridgeDeps, begun: BridgeRow, intent?: Intent): Promise<BridgeRow> {
  const { log, db } = deps;
  const { object_id } = begun;
  let isLate = false;
  const work = driveAll(deps, begun, { intent, isLate: () => isLate });
  if (!(await endsWithin(work, PATIENCE_MS))) {
    isLate = true;
    work.catch((err) => log.warn({ err, bridge_transfer: object_id }, 'It is left to its jobs'));
  }
  return (await findBridge(db, { object_id })) ?? begun;
}

interface Driving {
  /** Of the burn, where this request has begun it. */
  readonly intent: Intent | undefined;
  isLate(): boolean;
}

/** From step to step, as long as each ends at once. */
async function driveAll(
  deps: BridgeDeps,
  { object_id, leg_id, status }: BridgeRow,
  { intent, isLate }: Driving,
): Promise<void> {
  if (status === 'BURNING')
    await (leg_id === null
      ? deps.effects.drive(deps.takes, object_id, { intent })
      : deps.legs.driveBurn(leg_id, intent));
  for (let before: string = 'BURNING'; !isLate(); ) {
    const row = await findBridge(deps.db, { object_id });
    if (!row || row.status === before || !(await driveOn(deps, row))) return;
    before = row.status;
  }
}

/** A managed address of the caller's that has the amount. */
async function sourceFor(
  { db, evm, legs, config }: BridgeDeps,
  { caller: { user_id }, source }: BridgeOrder,
  quote: Quote | undefined,
): Promise<Address> {
  const { from_chain, to_chain } = quote?.bridge ?? {};
  if (!quote || !from_chain || !to_chain || !isChainKey(from_chain) || !isBridgeChain(to_chain))
    throw quote ? notOfBridge(quote) : fail('NOT_FOUND', 'Quote not found');
  const wanted = { chain_id: from_chain, wallet_address: source };
  const [address] = await managedAddresses(db, { user_id }, wanted);
  if (!address)
    throw fail('WALLET_NOT_FOUND', `You have no wallet of that address on ${from_chain}`);
  // In mock mode the platform pays for who has nothing.
  if (config.MOCK_MODE) return address.wallet_address;
  const chain = evm.chains[from_chain];
  try {
    const token = isChainKey(to_chain)
      ? legs.tokenOf({ from_chain, to_chain })
      : chain.contracts.usdc;
    const { tokens } = await readBalances(chain, address.wallet_address, [token]);
    const [available = 0n] = tokens;
    if (available < quote.from_units) throw tooLittle(available, quote.from_units);
  } catch (error) {
    throw toSpendingAppError(error, chain, ({ available }) =>
      tooLittle(available ?? 0n, quote.from_units),
    );
  }
  return address.wallet_address;
}

function tooLittle(available: bigint, required: bigint): AppError {
  const shown = (units: bigint) => format({ asset: 'USDC', units });
  return fail('INSUFFICIENT_BALANCE', 'The address has less than the amount', {
    details: { available: shown(available), required: shown(required), currency: 'USDC' },
  });
}

const notOfBridge = ({ kind }: Quote): AppError =>
  fail('QUOTE_MISMATCH', `The quote is for another kind: ${kind}`, {
    details: { field: 'kind', quoted: kind },
    hint: 'Ask for a quote by POST /bridge/quotes.',
  });

interface Ready extends Omit<BridgeOrder, 'source'> {
  readonly source: Address;
  readonly market: Market | undefined;
}

interface Begun {
  readonly row: BridgeRow;
  readonly intent: Intent | undefined;
}

async function begin(deps: BridgeDeps, tx: Db, order: Ready): Promise<Begun> {
  const { clock, places } = deps;
  const now = clock.now();
  const bridge_transfer_id = newObjectUuid(now.getTime());
  const object_id = objectId('brt', bridge_transfer_id);
  const { quote_id, caller, request } = order;
  const { user_id } = caller;
  const { quote } = await useQuote(tx, { quote_id, user_id, used_by: object_id, kind: 'bridge' });
  const given = { ...termsOf(quote, order), bridge_transfer_id, object_id };
  const route = await lockOpenRoute(tx, given.route_id);
  requireOpen(route);
  await spendDayOf(tx, given, route, now);
  await deps.policies.decide(tx, policyOf(given, order));
  const { from_chain } = given;
  const limit_day = now.toISOString().slice(0, 10);
  const leg = await beginLeg(deps, tx, given);
  const row = await insertBridgeTransfer(tx, { ...given, limit_day });
  const intent = leg ? leg.intent : await deps.effects.begin(tx, deps.takes, object_id);
  await writeStep(tx, { bridge_transfer_id, name: 'burn', chain: from_chain, state: 'PENDING' });
  const details = { bridge_transfer_id: object_id, quote_id: objectId('qte', quote_id) };
  await logActivity(tx, { action: 'BRIDGE_TRANSFER', actor: caller, details, request });
  await emitBridge(tx, row, places);
  return { row, intent };
}

/** What carries it, where that is another transfer. */
async function beginLeg(
  { legs }: BridgeDeps,
  tx: Db,
  given: Omit<NewBridgeTransfer, 'limit_day'>,
): Promise<{ readonly intent: Intent | undefined } | undefined> {
  const { leg_id: log_id, object_id, operation, client_id, user_id, from_chain, to_chain } = given;
  if (log_id === null || !isChainKey(to_chain)) return undefined;
  const units = carriedUnits(given);
  const intent = await legs.begin(tx, {
    log_id,
    bridge_transfer: object_id,
    operation,
    client_id,
    user_id,
    from_chain,
    to_chain,
    source: given.source_address,
    units,
    fee: given.platform_fee + given.network_fee,
    amount: format({ asset: 'USDC', units }),
  });
  return { intent };
}

type Terms = Omit<NewBridgeTransfer, 'limit_day' | 'bridge_transfer_id' | 'object_id'>;

function termsOf({ bridge, ...quote }: Quote, { caller, operation, source }: Ready): Terms {
  if (!bridge || !isChainKey(bridge.from_chain) || !isBridgeChain(bridge.to_chain))
    throw new Error(`Quote ${quote.quote_id} leads to no chain`);
  return {
    operation,
    client_id: caller.client_id,
    user_id: caller.user_id,
    quote_id: quote.quote_id,
    route_id: bridge.route_id,
    mode: bridge.mode,
    from_chain: bridge.from_chain,
    to_chain: bridge.to_chain,
    source_address: source,
    recipient_address: bridge.recipient_address,
    recipient_tag: bridge.recipient_tag ?? null,
    amount: quote.from_units,
    platform_fee: BigInt(bridge.platform_fee),
    network_fee: BigInt(bridge.network_fee),
    leg_id: isChainKey(bridge.to_chain) ? randomUUID() : null,
  };
}

const DAY_MS = 86_400_000;

async function spendDayOf(
  tx: Db,
  { route_id, amount: units }: Terms,
  route: RouteRow | undefined,
  now: Date,
): Promise<void> {
  const cap = route?.daily_cap ?? 0n;
  const day = now.toISOString().slice(0, 10);
  if (await spendRouteDay(tx, { route_id, day, units }, cap)) return;
  const limit = format({ asset: 'USDC', units: cap });
  throw fail('LIMIT_EXCEEDED', `The day's limit of ${route_id} is ${limit} USDC`, {
    details: {
      limit_id: 'bridge_route_day',
      limit,
      used: null,
      currency: 'USDC',
      resets_at: new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS + DAY_MS).toISOString(),
    },
  });
}

/** As policies see it: it has no status in which it could wait for an approval. */
const policyOf = (
  given: Terms & { readonly object_id: string },
  { caller: { key }, request, market }: Ready,
) => ({
  kind: 'bridge' as const,
  op: 'bridge_transfer',
  operation: given.operation,
  payment_id: given.object_id,
  client_id: given.client_id,
  user_id: given.user_id,
  amount: { asset: 'USDC' as const, units: given.amount },
  market,
  recipient: { id: `${given.to_chain}:${given.recipient_address}`, kind: 'address' },
  key: key && { key_id: key.key_id, scopes: key.scopes },
  metadata: namesGiven('bridge_transfer').metadata,
  stepUp: stepUpOf(request),
});
