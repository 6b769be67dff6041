import type { EvmChain } from '#chains/evm/port.ts';
import { type ToShortfall, toAppError as told } from '#features/wallet-spending/wallet-spending.ts';
import { type AppError, fail } from '#kernel/http/error.ts';
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
export const toAppError = (error: unknown, chain: Pick<EvmChain, 'info'>): AppError | Error =>
  told(error, chain, toShortfall);
