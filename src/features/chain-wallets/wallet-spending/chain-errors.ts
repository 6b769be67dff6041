import {
  ChainError,
  type ChainSender,
  type EvmChain,
  type ExecutedTransaction,
  hasFailed,
  isConfirmed,
  lacksTokens,
} from '#chains/evm/port.ts';
import { done, type Outcome, type Refusal, refused, unknown } from '#kernel/effects/outcome.ts';
import { type AppError, CODES, type Code, fail } from '#kernel/error.ts';
import type { Asset } from '#kernel/money/money.ts';
import { notConfigured } from '#kernel/provider-call.ts';

const RETRY_S = 5;

/** What a wallet lacks, in smallest units as far as they are known. */
export interface Shortfall {
  readonly asset: Asset;
  readonly required?: bigint | undefined;
  readonly available?: bigint | undefined;
}

/** How the endpoints of a feature say INSUFFICIENT_FUNDS. */
export type ToShortfall = (shortfall: Shortfall) => AppError;

type Named = Pick<EvmChain, 'info'>;

/**
 * What a chain's fault means to the caller: INSUFFICIENT_FUNDS or PROVIDER_REJECTED where it will never
 * happen, and 503 where the outcome is unknown, since the same call asks again. What is not a chain's is left as
 * it is.
 */
export const toSpendingAppError = (
  error: unknown,
  chain: Named,
  toShortfall: ToShortfall,
): AppError | Error =>
  error instanceof ChainError ? tell(error, chain, toShortfall) : (error as Error);

function tell(error: ChainError, { info }: Named, toShortfall: ToShortfall): AppError {
  const { kind, details, message } = error;
  const { required, available } = details;
  if (details.isNotConfigured) return notConfigured(`The chain ${info.key}`);
  if (kind === 'insufficient_funds')
    return toShortfall({ asset: info.native, required, available });
  if (lacksTokens(error)) return toShortfall({ asset: 'USDC' });
  if (kind === 'reverted' || kind === 'refused')
    return fail('PROVIDER_REJECTED', `The network rejected the transaction: ${message}`);
  const text =
    kind === 'pending'
      ? 'Sent, and not confirmed yet: ask again with the same Idempotency-Key'
      : `${info.key} cannot be reached at the moment`;
  return fail('PROVIDER_UNAVAILABLE', text, { retryAfter: RETRY_S, cause: error });
}

type Request = Parameters<ChainSender['execute']>[0];

/** Sends once and waits for the receipt: what came of it, as `outcomeOf` says. */
export const sendOnce = (
  chain: Pick<EvmChain, 'info' | 'sender'>,
  request: Request,
  toShortfall: ToShortfall,
): Promise<Outcome<ExecutedTransaction>> =>
  outcomeOf(chain, { reference: request.reference, toShortfall }, () =>
    chain.sender.execute(request),
  );

/**
 * What came of something that was to be sent under that name. Whatever may still happen is unknown: no receipt yet, a node
 * that does not answer, a block that undid it and may be dropped itself, or a transaction that another
 * attempt has signed. Only what is not a chain's fault is thrown.
 */
export async function outcomeOf(
  chain: Pick<EvmChain, 'info' | 'sender'>,
  { reference, toShortfall }: { readonly reference: string; readonly toShortfall: ToShortfall },
  execute: () => Promise<ExecutedTransaction>,
): Promise<Outcome<ExecutedTransaction>> {
  try {
    return done(await execute());
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    const reported = tell(error, chain, toShortfall);
    if (!isRefusal(error)) return unknown(reported.message, reported);
    const row = await chain.sender.find(reference);
    if (row && !hasFailed(row)) return unknown('It is signed, and its end is not final yet');
    return toRefusal(reported);
  }
}

/** What is mined is only known once it has its confirmations: before, a reorganisation may undo it. */
export async function withConfirmations(
  chain: EvmChain,
  outcome: Outcome<ExecutedTransaction>,
): Promise<Outcome<ExecutedTransaction>> {
  if (outcome.kind !== 'done') return outcome;
  try {
    if (await isConfirmed(chain, outcome.value)) return outcome;
    return unknown('It does not have its confirmations yet');
  } catch (error) {
    if (error instanceof ChainError) return unknown(error.message);
    throw error;
  }
}

/** The network has said no: nothing was sent, or what was sent has no effect. */
const isRefusal = ({ kind }: ChainError): boolean =>
  kind === 'insufficient_funds' || kind === 'reverted' || kind === 'refused';

/** The error of the caller, as an effect keeps it. */
export const toRefusal = ({ code, message, status, details }: AppError): Refusal =>
  refused(code, message, status, details);

/** The other way round: what a refused effect tells its callers, the first one and any repetition. */
export function fromRefusal({ code: kept, message, details }: Refusal): AppError {
  const code = isCode(kept) ? kept : 'PROVIDER_REJECTED';
  return fail(code, message, { details, ...(CODES[code] === 503 && { retryAfter: RETRY_S }) });
}

const isCode = (text: string): text is Code => text in CODES;
