import type { FiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Market } from '#kernel/money/cost.ts';
import type { Receiver } from './receivers.ts';

/** A part of what is sent. */
export interface OrderedPart {
  readonly to: Receiver;
  readonly units: bigint;
  readonly note: string | null;
}

export interface TransferOrder {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  /** The request's own id: what it makes is made once. */
  readonly operation: string;
  readonly from: FiatWallet;
  readonly parts: readonly OrderedPart[];
  readonly isSplit: boolean;
  readonly note: string | null;
  /** The quote by which another currency arrives; of one receiver only. */
  readonly quote_id: string | undefined;
  readonly claimS: number;
  /** The UUID of the transfer, where what it pays has to name it; else a new one. */
  readonly transfer_id?: string;
  /** The rates of the moment, read before the transaction. */
  readonly market: Market | undefined;
}
