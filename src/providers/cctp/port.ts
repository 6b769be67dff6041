import type { Address, Hash } from 'viem';
import type { ContractCall, Proof, Witness } from '#chains/evm/contracts/port.ts';
import type { ChainKey } from '#chains/evm/port.ts';
import type { Outcome } from '#kernel/provider-call.ts';

/** Native USDC that Circle burns on one chain and lets us mint on another. */
export interface CctpBurn {
  /** The transfer's nonce as text. The burn carries it, so that it cannot be claimed for another. */
  readonly nonce: string;
  readonly from: ChainKey;
  readonly to: ChainKey;
  readonly units: bigint;
  readonly recipient: Address;
}

/** Circle's Cross-Chain Transfer Protocol, second version. */
export interface Cctp {
  /** Whether both chains have it, by configuration. */
  joins(from: ChainKey, to: ChainKey): boolean;
  /** The token that is burnt there. */
  token(chain: ChainKey): Address;
  /** What the payer signs, in this order; the last one is the burn. */
  burnCalls(burn: CctpBurn): readonly ContractCall[];
  /** Whether that transaction burnt exactly this, so that only our relayer can mint it. */
  proveBurn(
    chain: Witness,
    hash: Hash,
    burn: CctpBurn,
    confirmations: number,
  ): Promise<Proof<{ readonly from: Address }>>;
  /** The transaction that has burnt exactly this since then, however deep it is; throws ChainError. */
  findBurn(chain: Pick<Witness, 'client'>, burn: CctpBurn, since: Date): Promise<Hash | undefined>;
  /** Whether that transaction made exactly these tokens for the recipient. */
  proveMint(chain: Witness, hash: Hash, burn: CctpBurn): Promise<Proof<object>>;
  /**
   * The mint of a burn, for the relayer, once Circle has attested it; nothing until then. Refused
   * when what was attested is not this burn.
   */
  mintCall(burn: CctpBurn & { readonly hash: Hash }): Promise<Outcome<ContractCall | undefined>>;
}
