import { ChainError, type EvmChain } from '#chains/evm/port.ts';
import {
  toSpendingAppError as spendingAppError,
  type ToShortfall,
} from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { format } from '#kernel/money/money.ts';

/** How these endpoints say that a wallet cannot pay. */
export const toShortfall: ToShortfall = ({ asset, required, available }) => {
  const what = asset === 'USDC' ? 'the amount and the platform fee' : 'the network fee';
  const isKnown = required !== undefined && available !== undefined;
  return fail('INSUFFICIENT_FUNDS', `Not enough ${asset} for ${what}`, {
    ...(isKnown && {
      details: {
        token: asset,
        required: format({ asset, units: required }),
        available: format({ asset, units: available }),
      },
    }),
  });
};

/** What a chain's fault means to the caller. Whatever is unknown is 503: the same call asks again. */
export const toCrosschainAppError = (
  error: unknown,
  chain: Pick<EvmChain, 'info'>,
): AppError | Error => spendingAppError(error, chain, toShortfall);

/**
 * What a fault of a transaction that the platform itself signs means to the caller, who did nothing wrong:
 * PROVIDER_UNAVAILABLE, also where it lacks coins or is not let. An answer below 500 would be kept for the
 * caller's Idempotency-Key.
 */
export function oursRefused(
  error: unknown,
  chain: Pick<EvmChain, 'info'>,
  message: string,
): AppError | Error {
  if (!(error instanceof ChainError) || error.kind === 'pending' || error.kind === 'unreachable')
    return toCrosschainAppError(error, chain);
  return fail('PROVIDER_UNAVAILABLE', message, { retryAfter: 60, cause: error });
}
