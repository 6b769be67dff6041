import { setTimeout as sleep } from 'node:timers/promises';
import {
  ChainError,
  type ChainTransaction,
  type Executed,
  hasFailed,
  isExecuted,
  type Quote,
  type Signer,
} from '#chains/evm/port.ts';
import { managedAddresses, signerOf } from '#features/crypto-wallets/crypto-wallets.ts';
import { moveCall, toAppError } from '#features/wallet-spending/wallet-spending.ts';
import { monotonicMs } from '#kernel/clock.ts';
import { fail } from '#kernel/http/error.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { type FollowDeps, follow } from './follow.ts';
import { shortage, tellLack } from './funds.ts';
import { failSend, lockOpen, withdrawSend } from './give-up.ts';
import { sendReference } from './references.ts';
import type { LogRow, Send } from './store.ts';

export type ExecuteSendDeps = FollowDeps & Pick<Kernel, 'vault'>;

/** How long a send is the business of whoever was asked for it. After that it happens, or has failed. */
export const OPEN_MS = 120_000;
/** How long callers wait for the confirmations after the first, and between two looks. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 1_000;

/** A send with its receipt and its record in the log. */
export interface Sent {
  readonly transaction: Executed;
  readonly log: LogRow;
}

interface ExecuteOptions {
  readonly patienceMs?: number;
  /** Of this very send, just now. */
  readonly quote?: Quote | undefined;
}

/**
 * Takes a send to its confirmations from wherever it stands, any number of times, also at once: the
 * journal knows its transaction by the operation. Throws what callers are told: INSUFFICIENT_FUNDS or
 * PROVIDER_REJECTED when it will never happen, PROVIDER_UNAVAILABLE while that is not known.
 */
export async function executeSend(
  deps: ExecuteSendDeps,
  send: Send,
  { patienceMs = PATIENCE_MS, quote }: ExecuteOptions = {},
): Promise<Sent> {
  const { operation, chain_id, token_contract, destination, units, gas_points } = send;
  const chain = deps.evm.chains[chain_id];
  const reference = sendReference(operation);
  try {
    await chain.sender.execute({
      signer: await signerFor(deps, send),
      ...moveCall(token_contract, destination, units),
      reference,
      purpose: 'onchain send',
      gasPricePoints: BigInt(gas_points),
      quote,
      async permit(tx) {
        if (!(await lockOpen(tx, operation))) throw givenUp();
      },
    });
    return await confirmed(deps, send, patienceMs);
  } catch (error) {
    if (!(error instanceof ChainError) || error.kind === 'pending')
      throw toAppError(error, chain, tellLack);
    const row = await chain.sender.find(reference);
    // Somebody else may have sent it just now, which is why the funds were gone here.
    if (isOver(error) && (row?.status === 'PENDING' || row?.status === 'CONFIRMED'))
      return executeSend(deps, send, { patienceMs });
    throw await giveUp(deps, send, error, row);
  }
}

/** Waits for the confirmations of what the chain has executed. Throws `pending` where they are late. */
async function confirmed(deps: ExecuteSendDeps, send: Send, patienceMs: number): Promise<Sent> {
  for (const since = monotonicMs(); ; await sleep(LOOK_MS)) {
    const standing = await follow(deps, send);
    if (standing && hasFailed(standing.row))
      throw new ChainError('reverted', `${standing.row.hash} was reverted on chain`);
    const { row, log } = standing ?? {};
    if (row && log?.status === 'CONFIRMED' && isExecuted(row)) return { transaction: row, log };
    if (monotonicMs() - since >= patienceMs)
      throw new ChainError('pending', 'It does not have its confirmations yet');
  }
}

/** Ends a send that will not happen, and says so. One that may still happen stays open. */
async function giveUp(
  { db, clock, evm }: ExecuteSendDeps,
  send: Send,
  error: ChainError,
  row: ChainTransaction | undefined,
): Promise<Error> {
  const { operation, chain_id } = send;
  const chain = evm.chains[chain_id];
  const told = toAppError(error, chain, tellLack);
  if (isOver(error)) {
    // A reorganisation may still make it happen.
    if (row && !hasFailed(row))
      return toAppError(new ChainError('pending', 'Its end is not final yet'), chain, tellLack);
    const reason = (await shortage(chain, send)) ?? told;
    if (await failSend(db, operation, reason.message)) return reason;
    return toAppError(new ChainError('pending', 'Another attempt has sent it'), chain, tellLack);
  }
  const since = new Date(clock.now().getTime() - OPEN_MS);
  const withdrawn = !row && (await withdrawSend(db, operation, since));
  if (!withdrawn || error.details.isNotConfigured) return told;
  return fail('PROVIDER_UNAVAILABLE', `${told.message}, and nothing was sent`, { cause: error });
}

/** An attempt at the same send, which may be in another process, was told that it will not happen. */
export const givenUp = (): Error =>
  fail('PROVIDER_UNAVAILABLE', 'The transfer was cancelled before it was sent; retry', {
    retryAfter: 5,
  });

/** It did not take effect. */
const isOver = ({ kind }: ChainError): boolean =>
  kind === 'insufficient_funds' || kind === 'reverted' || kind === 'refused';

/** An ended send keeps no key; its transaction is in the journal, which needs no signature then. */
async function signerFor({ db, vault, evm }: ExecuteSendDeps, send: Send): Promise<Signer> {
  const { wallet_address, chain_id } = send;
  const [address] = await managedAddresses(db, {}, { wallet_address, chain_id });
  if (address) return signerOf(vault, address);
  const row = await evm.chains[chain_id].sender.find(sendReference(send.operation));
  if (row === undefined) throw new Error(`${send.operation} has neither a key nor a transaction`);
  return {
    address: wallet_address,
    sign: () => Promise.reject(new Error(`The key of ${wallet_address} is gone`)),
  };
}
