import {
  type Abi,
  AbiFunctionSignatureNotFoundError,
  decodeFunctionData,
  type Hex,
  isAddressEqual,
  parseTransaction,
} from 'viem';
import { burnMintBridge, idrToken, marketplacePayments, testUSDC } from './contracts.generated.ts';
import type { ContractSet } from './deploy.ts';

/** What a transaction does to the tokens that the platform accounts for. */
export interface Movement {
  readonly token: 'USDC' | 'IDRT';
  readonly kind: 'send' | 'mint' | 'burn';
  /** What there is more by a mint, and less by a burn or in the sender's hands by a send. */
  readonly units: bigint;
  /** Of a burn at the bridge, where others burn, too. */
  readonly isBridged: boolean;
}

/** The tokens of a chain, as the ledger and the contracts name them. */
export const TOKENS = { USDC: 'usdc', IDRT: 'idr_token' } as const;

/** Of a signed transaction, if it does well; nothing for what does none of it directly. */
export function movementOf(raw: Hex, contracts: ContractSet): Movement | undefined {
  const { to, data } = parseTransaction(raw);
  if (!to || data === undefined) return undefined;
  if (isAddressEqual(to, contracts.bridge)) return bridged(data);
  if (isAddressEqual(to, contracts.marketplace)) return paid(data, contracts);
  if (isAddressEqual(to, contracts.usdc)) return moved('USDC', data);
  return isAddressEqual(to, contracts.idr_token) ? moved('IDRT', data) : undefined;
}

function bridged(data: Hex): Movement | undefined {
  const call = decoded(burnMintBridge.abi, data);
  const token = { token: 'USDC', isBridged: true } as const;
  if (call?.functionName === 'mint') return { ...token, kind: 'mint', units: call.args[1] };
  return call?.functionName === 'burn'
    ? { ...token, kind: 'burn', units: -call.args[1] }
    : undefined;
}

/** Of an order, by way of the payment contract, to the treasury. */
function paid(data: Hex, { usdc }: ContractSet): Movement | undefined {
  const call = decoded(marketplacePayments.abi, data);
  if (call?.functionName !== 'pay') return undefined;
  const [, token, units] = call.args;
  return isAddressEqual(token, usdc)
    ? { token: 'USDC', kind: 'send', units: -units, isBridged: false }
    : undefined;
}

const TOKEN_ABI = [...testUSDC.abi, ...idrToken.abi] as const;

function moved(token: Movement['token'], data: Hex): Movement | undefined {
  const call = decoded(TOKEN_ABI, data);
  const as = (kind: Movement['kind'], units: bigint) => ({ token, kind, units, isBridged: false });
  if (call?.functionName === 'mint') return as('mint', call.args[1]);
  if (call?.functionName === 'burnFrom') return as('burn', -call.args[1]);
  if (call?.functionName === 'burn') return as('burn', -call.args[0]);
  return call?.functionName === 'transfer' ? as('send', -call.args[1]) : undefined;
}

/** A contract that was configured may have functions that ours has not. */
function decoded<const A extends Abi>(abi: A, data: Hex) {
  try {
    return decodeFunctionData({ abi, data });
  } catch (error) {
    if (error instanceof AbiFunctionSignatureNotFoundError) return undefined;
    throw error;
  }
}
