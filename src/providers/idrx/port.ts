import type { ChainKey } from '#chains/evm/port.ts';
import type { Outcome } from '../../kernel/provider-call.ts';
import type { GatewayPayment, PaymentRequest, Payout, PayoutRequest } from '../gateway/port.ts';

/** What a payment buys. */
export interface TokenSale {
  readonly chain: ChainKey;
  readonly address: string;
  /** Units of IDRT. */
  readonly units: bigint;
}

/** What a pay-out pays for. */
export interface BurntTokens extends TokenSale {
  readonly hash: string;
}

/** What became of the mint of a sale that is paid. */
export type VendorMint =
  /** The vendor's transaction on chain. */
  | { readonly hash: string }
  /** Why the vendor will not mint, by its own code. */
  | { readonly failure: string };

/**
 * Sells a rupiah token of its own and redeems it: it takes the payment, mints to the buyer's address, and pays a
 * bank for what was burnt. Its payments and pay-outs are those of its `Gateway`, under the same references.
 */
export interface TokenVendor {
  /** The payment of a sale. Every way to pay has a price of its own, which is at least the tokens. */
  sell(request: PaymentRequest, sale: TokenSale): Promise<Outcome<GatewayPayment>>;
  /** `done(undefined)` while nothing is minted; `id` is the vendor's name of the payment. */
  findMint(reference: string, id?: string): Promise<Outcome<VendorMint | undefined>>;
  /** A burn is redeemed once, by its hash. */
  redeem(request: PayoutRequest, burnt: BurntTokens): Promise<Outcome<Payout>>;
  /** `done(undefined)` when the vendor has redeemed nothing of that burn. */
  findRedemption(reference: string, burnHash: string): Promise<Outcome<Payout | undefined>>;
}
