import { ChainError, type ChainKey, type EvmNetwork, type Signer } from '#chains/evm/port.ts';
import { type AppError, fail } from '#kernel/http/error.ts';
import type { Job } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { format } from '#kernel/money/money.ts';
import type { Cctp } from '#providers/cctp/port.ts';
import { notConfigured } from '#providers/provider.ts';
import type { BridgeRoutes } from './bridge-route.ts';

/** The signers of a user's managed wallets on a chain, the primary wallet's first. */
export type SignersOf = (user_id: number, chain: ChainKey) => Promise<readonly Signer[]>;

export interface CrosschainPorts {
  readonly evm: EvmNetwork;
  readonly cctp: Cctp;
  readonly signersOf: SignersOf;
}

export type CrosschainDeps = Pick<Kernel, 'db' | 'clock' | 'config' | 'log' | 'jobs' | 'budgets'> &
  CrosschainPorts & {
    readonly bridgeRoutes: BridgeRoutes;
    readonly feeJob: Job<{ log_id: string }>;
  };

/** What a chain's fault means to the caller. Whatever is unknown is 503: the same call asks again. */
export function toAppError(error: unknown, evm: EvmNetwork, chain: ChainKey): AppError | Error {
  if (!(error instanceof ChainError)) return error as Error;
  const { kind, details, message } = error;
  if (details.isNotConfigured) return notConfigured(`The chain ${chain}`);
  const { native } = evm.chains[chain].info;
  const coins = (units: bigint) => format({ asset: native, units });
  if (kind === 'insufficient_funds')
    return fail('INSUFFICIENT_FUNDS', `Not enough ${native} for the network fee`, {
      ...(details.required !== undefined &&
        details.available !== undefined && {
          details: {
            token: native,
            required: coins(details.required),
            available: coins(details.available),
          },
        }),
    });
  if (kind === 'reverted' && details.errorName === 'ERC20InsufficientBalance')
    return fail('INSUFFICIENT_FUNDS', 'Not enough USDC');
  if (kind === 'reverted' || kind === 'refused')
    return fail('PROVIDER_REJECTED', `The chain refuses it: ${message}`);
  const text = kind === 'pending' ? 'Sent, and not confirmed yet' : `${chain} cannot be reached`;
  return fail('PROVIDER_UNAVAILABLE', text, { retryAfter: 5, cause: error });
}
