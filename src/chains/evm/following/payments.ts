import { type Address, erc20Abi, getAbiItem, getAddress, type Hash } from 'viem';
import { marketplacePayments } from '../contracts/contracts.generated.ts';
import type { EvmChain } from '../port.ts';
import type { EventSource, FollowedEvent } from './read-range.ts';

/** A payment as the chain tells it: to the payment contract's function, or by a plain transfer to it. */
export interface SeenPayment {
  readonly kind: 'CONTRACT' | 'TRANSFER';
  readonly hash: Hash;
  readonly place: number;
  readonly index: number;
  readonly block: bigint;
  readonly blockHash: Hash;
  readonly payer: Address;
  readonly token: Address;
  readonly units: bigint;
  /** What the payer has called the order; anybody may write anything there. */
  readonly orderText: string | undefined;
}

/** Payments for orders, and plain transfers of our tokens to the payment contract. */
export const paymentSources = ({ contracts }: Pick<EvmChain, 'contracts'>): EventSource[] => [
  { name: 'CONTRACT', address: contracts.marketplace, event: PAID },
  {
    name: 'TRANSFER',
    address: [contracts.usdc, contracts.idr_token],
    event: TRANSFER,
    args: { to: contracts.marketplace },
  },
];

const PAID = getAbiItem({ abi: marketplacePayments.abi, name: 'PaymentReceived' });
const TRANSFER = getAbiItem({ abi: erc20Abi, name: 'Transfer' });

interface Paid {
  readonly payer: Address;
  readonly token: Address;
  readonly amount: bigint;
  readonly orderId: string;
}
interface Transferred {
  readonly from: Address;
  readonly value: bigint;
}

/** The payment that one of these events tells of. */
export function seenPayment(event: FollowedEvent): SeenPayment {
  const { hash, place, index, block, blockHash, contract, args } = event;
  const at = { hash, place, index, block, blockHash };
  if (event.source === 'CONTRACT') {
    const { payer, token, amount, orderId } = args as unknown as Paid;
    const paid = { payer: getAddress(payer), token: getAddress(token), units: amount };
    return { ...at, ...paid, kind: 'CONTRACT', orderText: orderId };
  }
  const { from, value } = args as unknown as Transferred;
  const moved = { payer: getAddress(from), token: getAddress(contract), units: value };
  return { ...at, ...moved, kind: 'TRANSFER', orderText: undefined };
}
