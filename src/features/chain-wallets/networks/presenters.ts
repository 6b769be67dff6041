import { type Static, Type } from 'typebox';
import type {
  FeeSpeed,
  NetworkFee,
  NetworkHead,
  NetworkToken,
  SeenBalance,
  SeenMove,
  SeenTransaction,
} from '#chains/network-view.ts';
import type { Chain } from '#chains/port.ts';
import { named } from '#kernel/http/declare/named.ts';
import { explained, Nullable, oneOfWords, Timestamp } from '#kernel/http/declare/schema.ts';
import { type Asset, convert, format, SCALE } from '#kernel/money/money.ts';

const NETWORK_STATUSES = ['UP', 'BEHIND', 'DOWN'] as const;
export const TRANSACTION_STATUSES = ['PENDING', 'MINED', 'FINAL', 'FAILED', 'UNKNOWN'] as const;

const FeeBody = named('NetworkFee', {
  price: explained(Type.String(), 'Smallest units of the coin for one of gas, byte or transaction'),
  transfer_cost: explained(Type.String(), 'What a plain transfer costs, in the coin'),
  transfer_cost_usd: Nullable(Type.String()),
  max_fee_per_gas: Type.Optional(Type.String()),
  max_priority_fee_per_gas: Type.Optional(Type.String()),
});

export const NetworkBody = named('Network', {
  network_id: Type.String(),
  kind: explained(Type.String(), 'The family of the network'),
  name: Type.String(),
  chain_id: explained(Type.Integer(), 'By which its transactions name it, as EIP-155 has it'),
  native: Type.Object({ symbol: Type.String(), digits: Type.Integer() }),
  status: oneOfWords(NETWORK_STATUSES),
  head: explained(
    Nullable(
      Type.Object({
        number: Type.Integer(),
        hash: Type.String(),
        at: Timestamp,
        age_s: Type.Integer(),
      }),
    ),
    'The newest block, or the last one seen; null before the first',
  ),
  finality: Type.Object({
    blocks: Type.Integer(),
    seconds_p50: explained(
      Nullable(Type.Number()),
      'Median of our latest transactions; null before the first',
    ),
  }),
  fees: explained(
    Nullable(Type.Object({ slow: FeeBody, normal: FeeBody, fast: FeeBody })),
    'Null while the network is away',
  ),
  contracts: Type.Record(Type.String(), Type.String()),
  tokens: Type.Array(
    Type.Object({
      symbol: Type.String(),
      address: Type.String(),
      digits: Type.Integer(),
      permit: explained(Type.Boolean(), 'Whether it takes EIP-2612 permits'),
      transfer_with_authorization: explained(
        Type.Boolean(),
        'Whether it takes EIP-3009 authorizations',
      ),
    }),
  ),
  explorer_url: Type.String(),
  is_testnet: Type.Boolean(),
});

/** All that is known of a network at the moment. */
export interface NetworkSight {
  readonly network_id: string;
  readonly chain: Chain;
  /** Whether it has answered just now. */
  readonly isThere: boolean;
  readonly head: NetworkHead | undefined;
  readonly fees: Readonly<Record<FeeSpeed, NetworkFee>> | undefined;
  readonly contracts: Readonly<Record<string, string>>;
  readonly tokens: readonly NetworkToken[];
  readonly seconds_p50: number | null;
  readonly now: Date;
  /** Decimal text: dollars for one coin. */
  readonly usd: string | undefined;
}

export function shownNetwork(sight: NetworkSight): Static<typeof NetworkBody> {
  const { chain, head, fees, usd, seconds_p50 } = sight;
  const { kind, name, chain_id, native, confirmations, explorer_url, is_testnet } =
    chain.view.facts;
  return {
    network_id: sight.network_id,
    kind,
    name,
    chain_id,
    native: { symbol: native, digits: SCALE[native] },
    status: statusOf(sight),
    head: head
      ? {
          number: head.height,
          hash: head.hash,
          at: head.at.toISOString(),
          age_s: ageOf(head, sight.now),
        }
      : null,
    finality: {
      blocks: confirmations,
      seconds_p50: seconds_p50 === null ? null : Math.round(seconds_p50 * 10) / 10,
    },
    fees: fees
      ? {
          slow: shownFee(fees.slow, native, usd),
          normal: shownFee(fees.normal, native, usd),
          fast: shownFee(fees.fast, native, usd),
        }
      : null,
    contracts: { ...sight.contracts },
    tokens: [...sight.tokens],
    explorer_url,
    is_testnet,
  };
}

const ageOf = ({ at }: NetworkHead, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - at.getTime()) / 1000));

/** A ledger of our own makes a block when there is something to put in: its age says nothing. */
function statusOf({ isThere, head, chain, now }: NetworkSight) {
  if (!isThere || !head) return 'DOWN';
  return !chain.isOwn && ageOf(head, now) > chain.view.facts.behind_s ? 'BEHIND' : 'UP';
}

const shownFee = (fee: NetworkFee, native: Asset, usd: string | undefined) => ({
  price: String(fee.price),
  transfer_cost: format({ asset: native, units: fee.transferCost }),
  transfer_cost_usd:
    usd === undefined
      ? null
      : format(convert({ asset: native, units: fee.transferCost }, usd, 'USDC', 'up')),
  ...(fee.maxFeePerGas !== undefined && { max_fee_per_gas: String(fee.maxFeePerGas) }),
  ...(fee.maxPriorityFeePerGas !== undefined && {
    max_priority_fee_per_gas: String(fee.maxPriorityFeePerGas),
  }),
});

/** An amount of any asset as decimal text, without zeros that say nothing. */
export function decimalText({ units, digits }: Pick<SeenBalance, 'units' | 'digits'>): string {
  const sign = units < 0n ? '-' : '';
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, '0');
  const whole = digits === 0 ? text : text.slice(0, -digits);
  const part = digits === 0 ? '' : text.slice(-digits).replace(/0+$/, '');
  return `${sign}${whole}${part === '' ? '' : `.${part}`}`;
}

export const MoveBody = Type.Object({
  asset: Type.String(),
  from: explained(Nullable(Type.String()), 'Null of what is minted'),
  to: explained(Nullable(Type.String()), 'Null of what is burnt'),
  amount: Type.String(),
});

export const shownMove = ({ asset, from, to, ...amount }: SeenMove) => ({
  asset,
  from,
  to,
  amount: decimalText(amount),
});

/** One sentence for people: what a transaction does. */
export function whatItDoes({ kind, moves, status }: SeenTransaction): string {
  const [first] = moves;
  if (status === 'FAILED') return `A ${kind} that failed: only its fee was taken`;
  if (first === undefined) return `A ${kind} that moves nothing`;
  const amount = `${decimalText(first)} ${first.asset}`;
  const more = moves.length > 1 ? `, and ${moves.length - 1} more` : '';
  if (first.from === null) return `Mints ${amount}${more}`;
  if (first.to === null) return `Burns ${amount}${more}`;
  return `Sends ${amount} to ${first.to}${more}`;
}
