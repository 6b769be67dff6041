import type { Hash } from 'viem';
import type { EvmChain, EvmNetwork } from '#chains/evm/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { type Outcome, refused } from '#kernel/effects/outcome.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type {
  BankTransfers,
  Gateway,
  GatewayPayment,
  PaymentRequest,
} from '#providers/gateway/port.ts';
import type { Mint } from '../purchase/store.ts';

/** What both issuers stand on. */
export interface IssuerDeps extends Pick<Kernel, 'db' | 'config'> {
  readonly evm: EvmNetwork;
  readonly gateway: Gateway;
}

export interface IssuedTokens {
  readonly hash: Hash;
}

/** Why the issuer does not mint what was paid for, by its own code. */
export interface NotIssued {
  readonly failure: string;
}

/** The code of a refusal: the payment was refunded, and the purchase is minted no more. */
export const WITHDRAWN = 'WITHDRAWN';
export const withdrawn = () => refused(WITHDRAWN, 'What was paid has been given back');

/** Sells the rupiah token, mints it, and redeems it: the platform's own contract, or a vendor. */
export interface TokenIssuer {
  requestPayment(mint: Mint, request: PaymentRequest): Promise<Outcome<GatewayPayment>>;
  /** Whether a payment of so many units of IDR is the price of the purchase. */
  isPrice(mint: Mint, units: bigint): boolean;
  /** What of a fee is the platform's, in its units; the rest stays with the issuer. */
  ownFee(fee: bigint): bigint;
  /**
   * Mints a paid purchase. Never given up: only a transaction that the chain has finally reverted ends an attempt
   * (`REVERTED`), and a refund the whole (`WITHDRAWN`).
   */
  mint(mint: Mint, attempt: number): Promise<Outcome<IssuedTokens | NotIssued>>;
  /** What became of this attempt and of those before, which may have come through after all. */
  findMint(mint: Mint, attempt: number): Promise<Outcome<IssuedTokens | undefined>>;
  /** Whether a mint of it may still happen, or has. Asked under the purchase's lock. */
  isMinting(tx: Db, mint: Mint, attempt: number): Promise<boolean>;
  /** Pays a bank for burnt tokens in the gateway's place. */
  readonly transfers?: BankTransfers;
  /** Whether a purchase may be minted for another amount than was ordered. */
  readonly mintsAnyAmount: boolean;
  /** What of `owed` a payment gives to a purchase of that price, in units of IDR. */
  takenOf(owed: bigint, price: bigint): bigint;
  /** The chains on which the platform's rupiah stand behind each token. */
  readonly backedOn: readonly EvmChain[];
}
