import {
  type Abi,
  BaseError,
  decodeErrorResult,
  ExecutionRevertedError,
  FeeCapTooLowError,
  type Hex,
  InsufficientFundsError,
  IntrinsicGasTooLowError,
  NonceTooLowError,
} from 'viem';
import {
  burnMintBridge,
  commerceLedger,
  idrToken,
  marketplacePayments,
  testUSDC,
} from './contracts.generated.ts';

/**
 * What went wrong on a chain, by what the caller may conclude:
 * - `insufficient_funds`, `reverted`, `refused`: nothing was sent and nothing will be.
 * - `pending`: sent, no receipt yet. It may still happen: look again, never send anew.
 * - `unreachable`: the node did not answer; whatever was asked is unknown.
 */
export type ChainFaultKind =
  | 'insufficient_funds'
  | 'reverted'
  | 'refused'
  | 'pending'
  | 'unreachable'
  | 'wrong_chain';

export class ChainError extends Error {
  readonly kind: ChainFaultKind;
  readonly details: ChainFaultDetails;

  constructor(kind: ChainFaultKind, message: string, details: ChainFaultDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'ChainError';
    this.kind = kind;
    this.details = details;
  }
}

export interface ChainFaultDetails {
  /** Wei the sender needs and has, for `insufficient_funds` of the native coin. */
  readonly required?: bigint;
  readonly available?: bigint;
  /** Name of the Solidity error, for `reverted`, when it is one of ours. */
  readonly errorName?: string;
  readonly cause?: unknown;
}

const ERRORS: Abi = [testUSDC, idrToken, burnMintBridge, marketplacePayments, commerceLedger]
  .flatMap(({ abi }): Abi => abi)
  .filter((entry) => entry.type === 'error');

/** Translates whatever a client threw. The message is the node's own, without its URL. */
export function chainFault(error: unknown): ChainError {
  if (error instanceof ChainError) return error;
  const text = textOf(error);
  const details = { cause: error };
  if (InsufficientFundsError.nodeMessage.test(text))
    return new ChainError(
      'insufficient_funds',
      'Not enough native coin for amount and gas',
      details,
    );
  if (isRevert(error, text)) {
    const errorName = revertName(error);
    return new ChainError('reverted', errorName ?? reasonOf(text), {
      ...details,
      ...(errorName && { errorName }),
    });
  }
  if (REFUSALS.some((pattern) => pattern.test(text)))
    return new ChainError('refused', firstLine(text), details);
  return new ChainError('unreachable', firstLine(text), details);
}

const REFUSALS = [
  IntrinsicGasTooLowError.nodeMessage,
  FeeCapTooLowError.nodeMessage,
  /exceeds block gas limit|gas limit too high|oversized data|invalid sender|invalid chain id/i,
];

/** The node has this very transaction already, which is what sending it was for. */
export const isKnownAlready = (error: unknown): boolean =>
  /already known|already imported|known transaction/i.test(textOf(error));

/** Another transaction, or this one, used the nonce before. */
export const isNonceUsed = (error: unknown): boolean =>
  NonceTooLowError.nodeMessage.test(textOf(error));

function isRevert(error: unknown, text: string): boolean {
  const found =
    error instanceof BaseError && error.walk((e) => e instanceof ExecutionRevertedError) !== null;
  return found || /execution reverted|revert(ed)?\b/i.test(text);
}

function revertName(error: unknown): string | undefined {
  const data = revertData(error);
  if (data === undefined || data === '0x') return undefined;
  try {
    const { errorName, args } = decodeErrorResult({ abi: ERRORS, data });
    return errorName === 'Error' ? String(args?.[0]) : errorName;
  } catch {
    return undefined;
  }
}

function revertData(error: unknown): Hex | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    const data = (e as { data?: unknown }).data;
    const hex = typeof data === 'object' && data ? (data as { data?: unknown }).data : data;
    if (typeof hex === 'string' && hex.startsWith('0x')) return hex as Hex;
  }
  return undefined;
}

function textOf(error: unknown): string {
  const texts: string[] = [];
  for (let e = error; e instanceof Error; e = e.cause)
    texts.push(e instanceof BaseError ? `${e.shortMessage}\n${e.details}` : e.message);
  return texts.join('\n');
}

const firstLine = (text: string): string => text.split('\n', 1)[0] || 'The node did not answer';

const reasonOf = (text: string): string =>
  /(?:execution reverted|revert(?:ed)?):? *([^\n]*)/i.exec(text)?.[1]?.trim() ||
  'execution reverted';
