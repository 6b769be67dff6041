import type { Address, Hash } from 'viem';
import { formatUnits, parseUnits } from 'viem';
import { type Disproof, proveTransfer } from '#chains/evm/contracts/port.ts';
import { ChainError, type EvmChain, readToken } from '#chains/evm/port.ts';
import { managedAddresses } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { toSpendingAppError } from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import type { Db } from '#kernel/db/db.ts';
import { wrongField } from '#kernel/error.ts';
import { toOnchainShortfall } from './funds.ts';

/** A transaction as the owner of a wallet describes it. */
export interface OnchainClaim {
  readonly bw_id: number;
  readonly to: Address;
  readonly token_contract: string;
  readonly amount: string;
  readonly tx_hash: Hash;
}

/** What the gas cost, once the chain has shown that the transaction is the one that is claimed. */
export async function provenGasFee(
  db: Db,
  chain: EvmChain,
  claim: OnchainClaim,
  confirmations: number,
): Promise<string> {
  const { bw_id, to, amount, tx_hash } = claim;
  const [from] = await managedAddresses(db, {}, { bw_id, chain_id: chain.info.key });
  if (!from) throw wrongField('bw_id', `has no address on ${chain.info.key}`);
  try {
    const { token, decimals } = await tokenOf(chain, claim.token_contract);
    const proof = await proveTransfer(chain, tx_hash, {
      token,
      from: from.wallet_address,
      to,
      confirmations,
      units: unitsOf(amount, decimals),
    });
    if ('disproof' in proof) throw wrongField('tx_hash', DISPROOFS[proof.disproof]);
    const { gasUsed, effectiveGasPrice } = proof.receipt;
    return formatUnits(gasUsed * effectiveGasPrice, 18);
  } catch (error) {
    throw error instanceof ChainError
      ? toSpendingAppError(error, chain, toOnchainShortfall)
      : error;
  }
}

const DISPROOFS: Readonly<Record<Disproof, string>> = {
  unknown: 'is not known to the chain',
  unconfirmed: 'does not have its confirmations yet',
  reverted: 'was reverted on chain',
  other: 'is another transaction than the one described',
};

async function tokenOf(
  chain: EvmChain,
  contract: string,
): Promise<{ token?: Address; decimals: number }> {
  if (contract === 'native') return { decimals: 18 };
  const token = await readToken(chain, contract as Address);
  if (!token) throw wrongField('token_contract', `is not a token on ${chain.info.key}`);
  return { token: token.address, decimals: token.decimals };
}

/** Exact, unlike `parseUnits` alone, which rounds what is too fine. */
function unitsOf(amount: string, decimals: number): bigint {
  const [, fraction = ''] = amount.split('.');
  if (fraction.replace(/0+$/, '').length > decimals)
    throw wrongField('amount', `has more than the ${decimals} decimals of the token`);
  return parseUnits(amount, decimals);
}
