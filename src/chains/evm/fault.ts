import {
  type Abi,
  BaseError,
  decodeErrorResult,
  ExecutionRevertedError,
  FeeCapTooLowError,
  type Hex,
  HttpRequestError,
  InsufficientFundsError,
  IntrinsicGasTooLowError,
  RpcRequestError,
  TimeoutError,
} from 'viem';
import {
  burnMintBridge,
  commerceLedger,
  idrToken,
  marketplacePayments,
  testUSDC,
} from './contracts/contracts.generated.ts';

/**
 * What went wrong on a chain, by what the caller may conclude:
 * - `insufficient_funds`, `reverted`, `refused`: nothing was sent and nothing will be.
 * - `pending`: sent, no receipt yet. It may still happen: look again, never send another one.
 * - `unreachable`: the node did not answer; the outcome of the call is unknown.
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
    super(message);
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
  /** For `unreachable`: the operator has configured no node of that chain, so no call was made. */
  readonly isNotConfigured?: true;
}

const ERRORS: Abi = [testUSDC, idrToken, burnMintBridge, marketplacePayments, commerceLedger]
  .flatMap(({ abi }): Abi => abi)
  .filter((entry) => entry.type === 'error');

/**
 * Translates any error that a client threw. The cause is left behind, because its text has the
 * node's URL, which may hold a credential, and the signed bytes.
 */
export function chainFault(error: unknown): ChainError {
  if (error instanceof ChainError) return error;
  const text = textOf(error);
  if (isRevert(error, text)) {
    const errorName = revertName(error);
    return new ChainError('reverted', errorName ?? reasonOf(text), {
      ...(errorName && { errorName }),
    });
  }
  // Nodes differ in capitals.
  const said = text.toLowerCase();
  if (InsufficientFundsError.nodeMessage.test(said))
    return new ChainError('insufficient_funds', 'Not enough native coin for amount and gas');
  const isRefusal = REFUSALS.some((pattern) => pattern.test(said));
  return new ChainError(isRefusal ? 'refused' : 'unreachable', brief(text));
}

const REFUSALS = [
  IntrinsicGasTooLowError.nodeMessage,
  FeeCapTooLowError.nodeMessage,
  /exceeds block gas limit|gas limit too high|oversized data|invalid sender|invalid chain id/i,
  // Of an address with a wrong checksum, before any node is asked: no pause makes it right.
  /address "[^"]*" is invalid/i,
];

/** By the token of our own, and by Circle's, which is built on an older library. */
const TOO_LITTLE = ['ERC20InsufficientBalance', 'ERC20: transfer amount exceeds balance'];

/** A token refused because its holder has too little of it. */
export const lacksTokens = ({ kind, details: { errorName = '' } }: ChainError): boolean =>
  kind === 'reverted' && TOO_LITTLE.includes(errorName);

/** The node has this very transaction already, which is what sending it was for. */
export const isKnownAlready = (error: unknown): boolean =>
  /already known|already imported|known transaction/i.test(textOf(error));

/** The block that was the latest when the question came was no longer when it was answered. */
export const isOvertaken = (error: unknown): boolean => /BlockOutOfRange/.test(textOf(error));

/** It never got as far as a contract: the node was not reached, or did not answer the question. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk((e) => UNANSWERED.some((kind) => e instanceof kind)) !== null &&
  !isRevert(error, textOf(error));

const UNANSWERED = [HttpRequestError, TimeoutError, RpcRequestError];

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

const brief = (text: string): string =>
  [...new Set(text.split('\n'))].join(' ').slice(0, 300) || 'The node did not answer';

const reasonOf = (text: string): string =>
  /(?:execution reverted|revert(?:ed)?):? *([^\n]*)/i.exec(text)?.[1]?.trim() ||
  'execution reverted';
