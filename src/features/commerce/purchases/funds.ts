import type { ToShortfall } from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { type Asset, format } from '#kernel/money/money.ts';

/** The error for a wallet with too little, with the required and available amounts where known. */
export const toPurchaseShortfall: ToShortfall = ({ asset, required, available }): AppError => {
  const amount = (units: bigint) => format({ asset, units });
  const message = asset === 'USDC' ? 'Insufficient USDC balance' : `Not enough ${asset} for gas`;
  return fail(asset === 'USDC' ? 'INSUFFICIENT_BALANCE' : 'INSUFFICIENT_FUNDS', message, {
    details: {
      token: asset satisfies Asset,
      ...(required !== undefined && { required: amount(required) }),
      ...(available !== undefined && { available: amount(available) }),
    },
  });
};
