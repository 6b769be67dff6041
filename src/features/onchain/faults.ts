import { formatUnits } from 'viem';
import { ChainError, type EvmChain } from '#chains/evm/port.ts';
import { type AppError, fail } from '#kernel/http/error.ts';
import { notConfigured } from '#providers/provider.ts';

const RETRY_S = 5;

/** What a chain's fault means to the caller. What is not a chain's is left as it is. */
export function toAppError(error: unknown, { info }: Pick<EvmChain, 'info'>): AppError | Error {
  if (!(error instanceof ChainError)) return error as Error;
  const { kind, details, message } = error;
  if (details.isNotConfigured) return notConfigured(`The chain ${info.key}`);
  switch (kind) {
    case 'insufficient_funds':
      return insufficient(info.native, 18, details.required, details.available);
    case 'reverted':
      return details.errorName === 'ERC20InsufficientBalance'
        ? insufficient('USDC', 6)
        : fail('PROVIDER_REJECTED', `The chain refuses it: ${message}`);
    case 'refused':
      return fail('PROVIDER_REJECTED', `The chain refuses it: ${message}`);
    case 'pending':
      return unavailable('Sent, and not confirmed yet: ask again with the same Idempotency-Key');
    default:
      return unavailable(`${info.key} cannot be reached at the moment`);
  }

  function unavailable(text: string): AppError {
    return fail('PROVIDER_UNAVAILABLE', text, { retryAfter: RETRY_S, cause: error });
  }
}

/** INSUFFICIENT_FUNDS with what is required and available, as far as it is known. */
export const insufficient = (
  token_symbol: string,
  decimals: number,
  required?: bigint,
  available?: bigint,
): AppError =>
  fail('INSUFFICIENT_FUNDS', `Not enough ${token_symbol} for amount, fee and gas`, {
    details: {
      token_symbol,
      ...(required !== undefined && { required: formatUnits(required, decimals) }),
      ...(available !== undefined && { available: formatUnits(available, decimals) }),
    },
  });
