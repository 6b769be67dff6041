import type { Address } from 'viem';
import { checkDestination } from '#chains/destinations.ts';
import { type ChainKey, isChainKey, typedEvmAddress } from '#chains/evm/port.ts';
import { feeOf } from '#features/fiat/fees/fees.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { format, type Money, share } from '#kernel/money/money.ts';
import type { BridgeDeps } from './deps.ts';
import { listBridgeRoutes, type OfferedMode, type OfferedRoute } from './route-store.ts';

type Usdc = Money<'USDC'>;
type Ports = Pick<BridgeDeps, 'evm' | 'config' | 'fx' | 'legs'>;

const usdc = (units: bigint): string => format({ asset: 'USDC', units });

/** What a transfer takes beside the mint: the payment to the recipient. */
const SEND_GAS = 80_000n;

export interface BridgeWish {
  readonly from_chain: ChainKey;
  readonly to_chain: ChainKey;
  readonly mode: string;
  readonly amount: Usdc;
  readonly recipient_address: string;
  /** The most that both fees may come to. */
  readonly max_fee?: Usdc | undefined;
}

export interface BridgePrice {
  readonly route: OfferedRoute;
  readonly mode: OfferedMode;
  readonly recipient: Address;
  readonly platform_fee: bigint;
  readonly network_fee: bigint;
}

/** A node of our own stands in for a test network, but not in production. */
export const isOffered = ({ evm, config }: Pick<Ports, 'evm' | 'config'>, chain: string): boolean =>
  isChainKey(chain) && !(config.NODE_ENV === 'production' && evm.chains[chain].isEmbedded);

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
  const recipient = await recipientFor(ports, wish.recipient_address);
  const { units } = wish.amount;
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
  const network_fee = await ports.legs.costOf(ports.fx, wish, SEND_GAS);
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

/** An address that its owner can spend from: with its checksum, not the zero address, a contract, or the platform's own. */
async function recipientFor({ evm, config }: Ports, text: string): Promise<Address> {
  const address = typedEvmAddress(text, config);
  if (address === undefined)
    throw wrongField('recipient_address', 'must be a 0x address with a valid EIP-55 checksum');
  await checkDestination(evm, address, { field: 'recipient_address' });
  return address;
}
