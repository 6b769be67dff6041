import { checkDestination } from '#chains/destinations.ts';
import { isChainKey, typedEvmAddress } from '#chains/evm/port.ts';
import { feeOf } from '#features/fiat/fees/fees.ts';
import { readMarket } from '#features/fiat/fx/fx.ts';
import type { FarAddress, FarRecipient } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { worthAtMost } from '#kernel/money/cost.ts';
import { format, type Money, share } from '#kernel/money/money.ts';
import type { BridgeDeps } from './deps.ts';
import type { BridgeChain } from './places.ts';
import { listBridgeRoutes, type OfferedMode, type OfferedRoute } from './route-store.ts';

type Usdc = Money<'USDC'>;
type Ports = Pick<BridgeDeps, 'evm' | 'places' | 'config' | 'fx' | 'legs'>;

const usdc = (units: bigint): string => format({ asset: 'USDC', units });

/** What a transfer takes beside the mint: the payment to the recipient. */
const SEND_GAS = 80_000n;

export interface BridgeWish extends FarRecipient {
  readonly from_chain: BridgeChain;
  readonly to_chain: BridgeChain;
  readonly mode: string;
  readonly amount: Usdc;
  /** The most that both fees may come to. */
  readonly max_fee?: Usdc | undefined;
}

export interface BridgePrice {
  readonly route: OfferedRoute;
  readonly mode: OfferedMode;
  readonly recipient: FarAddress;
  readonly platform_fee: bigint;
  readonly network_fee: bigint;
}

/** A node of our own stands in for a test network, but not in production. */
export function isOffered(
  { evm, places, config }: Pick<Ports, 'evm' | 'places' | 'config'>,
  chain: string,
): boolean {
  const isProduction = config.NODE_ENV === 'production';
  if (isChainKey(chain)) return !(isProduction && evm.chains[chain].isEmbedded);
  const ledger = places.ledger(chain);
  return ledger?.isReady === true && !(isProduction && ledger.isOwn);
}

/**
 * What a transfer costs now. Throws RAIL_NOT_AVAILABLE where the route or mode is not offered or is stopped, the refusal
 * of the recipient, AMOUNT_BELOW_MINIMUM, and LIMIT_EXCEEDED.
 */
export async function priceBridge(
  ports: Ports,
  db: Db,
  client_id: number,
  wish: BridgeWish,
): Promise<BridgePrice> {
  const { route, mode } = await offeredFor(ports, db, wish);
  const { units } = wish.amount;
  const recipient = await recipientFor(ports, wish, units);
  if (units > mode.most)
    throw fail('LIMIT_EXCEEDED', `A transfer on ${route.route_id} is at most ${usdc(mode.most)}`, {
      details: {
        limit_id: 'bridge_transfer',
        limit: usdc(mode.most),
        used: usdc(units),
        currency: 'USDC',
        resets_at: null,
      },
    });
  const own = share(wish.amount, BigInt(mode.fee_bps), 'up').units;
  const charged = await feeOf(db, { client_id, rail: 'bridge', amount: wish.amount });
  // A client may charge more, and not less than the operator.
  const platform_fee = atLeast(atLeast(own, mode.fee_least), charged.units);
  const network_fee = await networkFee(ports, wish, recipient);
  requireFee(wish, mode, platform_fee + network_fee);
  return { route, mode, recipient, platform_fee, network_fee };
}

function atLeast(units: bigint, least: bigint): bigint {
  return units >= least ? units : least;
}

function requireFee({ amount, max_fee }: BridgeWish, { least }: OfferedMode, fee: bigint): void {
  if (max_fee !== undefined && fee > max_fee.units)
    throw fail('LIMIT_EXCEEDED', `Both fees come to ${usdc(fee)} USDC`, {
      details: {
        limit_id: 'max_fee',
        limit: usdc(max_fee.units),
        used: usdc(fee),
        currency: 'USDC',
        resets_at: null,
      },
    });
  const minimum = atLeast(fee + 1n, least);
  if (amount.units < minimum)
    throw fail('AMOUNT_BELOW_MINIMUM', `amount must be at least ${usdc(minimum)} USDC`, {
      details: { field: 'amount', minimum: usdc(minimum), currency: 'USDC' },
    });
}

async function offeredFor(ports: Ports, db: Db, { from_chain, to_chain, mode: name }: BridgeWish) {
  if (from_chain === to_chain) throw wrongField('to_chain', 'must be another one than from_chain');
  const route_id = `${from_chain}-${to_chain}`;
  const [route] = await listBridgeRoutes(db, route_id);
  const mode = route?.modes.find((one) => one.mode === name);
  if (!route || !mode || ![from_chain, to_chain].every((chain) => isOffered(ports, chain)))
    throw fail(
      'RAIL_NOT_AVAILABLE',
      `The bridge has no ${name} way from ${from_chain} to ${to_chain}`,
      {
        hint: 'Ask for those that there are: GET /bridge/routes.',
      },
    );
  requireOpen(route);
  return { route, mode };
}

/** Throws RAIL_NOT_AVAILABLE where the operator has stopped it. */
export function requireOpen(
  route: Pick<OfferedRoute, 'route_id' | 'is_stopped'> | undefined,
): void {
  if (route && !route.is_stopped) return;
  throw fail('RAIL_NOT_AVAILABLE', 'The operator has stopped this route for now', {
    hint: 'Take another route, or ask later: GET /bridge/routes says which are open.',
  });
}

/** What the far side takes from the platform for the mint and the payment, in millionths of a USDC, rounded up. */
async function networkFee(
  { places, fx, legs }: Ports,
  { from_chain, to_chain, amount: { units } }: BridgeWish,
  to: FarAddress,
): Promise<bigint> {
  const ledger = places.ledger(to_chain);
  if (ledger) return worthAtMost(await readMarket(fx), [await ledger.costOf(units, to)]);
  if (!isChainKey(to_chain) || !isChainKey(from_chain)) throw new Error(`No way to ${to_chain}`);
  return legs.costOf(fx, { from_chain, to_chain }, SEND_GAS);
}

const field = 'recipient_address';

/** An address that its owner can spend from: as its chain writes it, not the zero address, a contract, or the platform's own. */
async function recipientFor(
  { evm, places, config }: Ports,
  wish: BridgeWish,
  units: bigint,
): Promise<FarAddress> {
  const ledger = places.ledger(wish.to_chain);
  if (ledger) return ledger.recipientFor(wish, units);
  if (wish.recipient_tag !== undefined)
    throw wrongField('recipient_tag', 'is for ledgers with tags alone');
  const address = typedEvmAddress(wish.recipient_address, config);
  if (address === undefined)
    throw wrongField(field, 'must be a 0x address with a valid EIP-55 checksum');
  await checkDestination(evm, address, { field });
  return { address, tag: null };
}
