import type { Address, Hash } from 'viem';
import { type Disproof, proveTokenBurn } from '#chains/evm/contracts/port.ts';
import { CHAIN_KEYS, type ChainKey, chainFault } from '#chains/evm/port.ts';
import { type AppError, fail } from '#kernel/error.ts';
import type { IdrBase } from '../deps.ts';
import { isTakeBack } from '../refund/take-back.ts';

export interface ReportedBurn {
  readonly hash: Hash;
  readonly from: Address;
  readonly units: bigint;
}

type Look =
  | { readonly chain: ChainKey; readonly disproof?: Disproof }
  | { readonly fault: AppError };

/** Contract: 400 for everything but exactly that burn. `reason` is for people. */
export const notTheRedemptionBurn = (reason: string): AppError =>
  fail('INVALID_TX_HASH', 'Invalid burn transaction hash or amount mismatch', {
    details: { reason },
  });

/**
 * The chain on which that transaction burnt exactly those units of the token, held by that wallet, with its
 * confirmations. A burn by which the platform has taken tokens back does not count: their money is refunded already.
 */
export async function findRedemptionBurn(deps: IdrBase, burn: ReportedBurn): Promise<ChainKey> {
  const chain = await chainOf(deps, burn);
  if (await isTakeBack(deps.db, chain, burn.hash))
    throw notTheRedemptionBurn('The platform took these tokens back for a refund');
  return chain;
}

/**
 * Any chain may have the burn: the one of purchases is read first. An unreachable chain may have it, so that the
 * caller gets that fault, and not that there is no such burn.
 */
async function chainOf(deps: IdrBase, burn: ReportedBurn): Promise<ChainKey> {
  const order = [deps.home, ...CHAIN_KEYS.filter((key) => key !== deps.home)];
  const looks: Look[] = [];
  for (const chain of order) {
    const look = await lookOn(deps, chain, burn);
    if ('chain' in look && look.disproof === undefined) return chain;
    looks.push(look);
    // The chain has another transaction of that hash, so that no other chain has the burn.
    if ('chain' in look && look.disproof !== 'unknown') break;
  }
  const found = looks.find((look) => 'chain' in look && look.disproof !== 'unknown');
  if (found && 'chain' in found) throw refusalOf(found.disproof ?? 'other');
  const away = looks.find((look) => 'fault' in look);
  throw away ? away.fault : refusalOf('unknown');
}

async function lookOn(
  { evm, config }: IdrBase,
  key: ChainKey,
  { hash, from, units }: ReportedBurn,
): Promise<Look> {
  const chain = evm.chains[key];
  try {
    const expected = { from, units, confirmations: config.EVM_CONFIRMATIONS };
    const proof = await proveTokenBurn(chain, chain.contracts.idr_token, hash, expected);
    return 'proven' in proof ? { chain: key } : { chain: key, disproof: proof.disproof };
  } catch (error) {
    const { details } = chainFault(error);
    // A chain that is not configured has no burn of our token.
    if (details.isNotConfigured) return { chain: key, disproof: 'unknown' };
    const cause = { retryAfter: 5, cause: error };
    return {
      fault: fail('PROVIDER_UNAVAILABLE', `${key} cannot be reached at the moment`, cause),
    };
  }
}

function refusalOf(disproof: Disproof): AppError {
  if (disproof === 'unconfirmed')
    return fail('NOT_READY', 'The burn has too few confirmations yet', { retryAfter: 15 });
  return notTheRedemptionBurn(
    {
      unknown: 'The transaction is not known on chain',
      reverted: 'The transaction was reverted',
      other: 'The transaction does not burn that amount of that wallet',
    }[disproof],
  );
}
