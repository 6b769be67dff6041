import type { Address, Hash } from 'viem';
import type { ContractCall, Proof, Witness } from '#chains/evm/contracts/port.ts';
import type { ChainKey } from '#chains/evm/port.ts';
import type { Outcome } from '#kernel/provider-call.ts';

/** Native USDC, burnt on one chain and minted on another by Circle's contracts. */
export interface CctpBurn {
  /** The transfer's nonce as text. The burn carries it, so that no other transfer can claim it. */
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
  /** The calls that the payer signs, in this order; the last one is the burn. */
  burnCalls(burn: CctpBurn): readonly ContractCall[];
  /** Whether that transaction burnt exactly this, so that only our relayer can mint it. */
  proveBurn(
    chain: Witness,
    hash: Hash,
    burn: CctpBurn,
    confirmations: number,
  ): Promise<Proof<{ readonly from: Address }>>;
  /** The transaction that has burnt exactly this since then, at any depth; throws ChainError. */
  findBurn(chain: Pick<Witness, 'client'>, burn: CctpBurn, since: Date): Promise<Hash | undefined>;
  /** Whether that transaction made exactly these tokens for the recipient. */
  proveMint(chain: Witness, hash: Hash, burn: CctpBurn): Promise<Proof<object>>;
  /**
   * The mint of a burn, for the relayer, once Circle has attested it; undefined until then. Refused
   * if the attested message is not this burn.
   */
  mintCall(burn: CctpBurn & { readonly hash: Hash }): Promise<Outcome<ContractCall | undefined>>;
}
