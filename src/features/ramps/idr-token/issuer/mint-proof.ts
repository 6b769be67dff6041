import type { Hash } from 'viem';
import { proveTokenMint } from '#chains/evm/contracts/port.ts';
import { ChainError } from '#chains/evm/port.ts';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Mint } from '../purchase/store.ts';
import type { IssuedTokens, IssuerDeps } from './issuer.ts';

/** Whether the chain has minted the purchase in that transaction, with its confirmations. */
export async function proveMint(
  { evm, config }: Pick<IssuerDeps, 'evm' | 'config'>,
  mint: Mint,
  hash: Hash,
): Promise<Outcome<IssuedTokens>> {
  const chain = evm.chains[mint.chain_id];
  try {
    const proof = await proveTokenMint(chain, chain.contracts.idr_token, hash, {
      to: mint.wallet_address,
      units: mint.amount_token,
      confirmations: config.EVM_CONFIRMATIONS,
    });
    return 'proven' in proof ? done({ hash }) : unknown(`The mint is ${proof.disproof} on chain`);
  } catch (error) {
    return chainUnknown(error);
  }
}

/** What the chain refuses today it may take tomorrow: the minter has no coins, or the chain is away. */
export function chainUnknown(error: unknown): Outcome<never> {
  if (error instanceof ChainError) return unknown(`${error.kind}: ${error.message}`);
  throw error;
}
