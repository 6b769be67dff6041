import { formatUnits } from 'viem';
import { ChainError } from '#chains/evm/fault.ts';
import type { EvmNetwork } from '#chains/evm/network.ts';
import type { Executed } from '#chains/evm/sender.ts';
import type { Signer } from '#chains/evm/signer.ts';
import { managedAddresses, signerOf } from '#features/crypto-wallets/crypto-wallets.ts';
import { transact } from '#kernel/db/transact.ts';
import { fail } from '#kernel/http/error.ts';
import type { Job } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { isAsset, SCALE } from '#kernel/money/money.ts';
import { toldByChain } from './faults.ts';
import { shortage } from './funds.ts';
import { moveCall } from './order.ts';
import {
  confirmSend,
  failSend,
  type LogRow,
  logOfSend,
  putSentLog,
  type Send,
  withdrawSend,
} from './store.ts';

export type CarryOutDeps = Pick<Kernel, 'db' | 'vault' | 'clock' | 'jobs'> & {
  readonly evm: EvmNetwork;
  readonly feeJob: Job<FeeDue>;
};

/** How long after a send was asked for nobody but who was asked is at it. */
export const OPEN_MS = 120_000;
/** The same with a margin for what is slow between the look at the clock and the deed. */
const ALONE_MS = OPEN_MS - 20_000;

export interface FeeDue {
  readonly operation: string;
}

/** A send with its receipt and its record in the log. */
export interface Sent {
  readonly transaction: Executed;
  readonly log: LogRow;
}

/**
 * Takes a send to its end from wherever it stands, any number of times, also at once: the journal
 * knows its transaction by the operation. Throws what callers are told: INSUFFICIENT_FUNDS or
 * PROVIDER_REJECTED when it will never happen, PROVIDER_UNAVAILABLE while that is not known.
 */
export async function carryOut(deps: CarryOutDeps, send: Send): Promise<Sent> {
  const { evm } = deps;
  const { operation, chain_id, token_contract, destination, units, gas_points } = send;
  const chain = evm.chains[chain_id];
  const reference = `onchain:${operation}`;
  try {
    const transaction = await chain.sender.execute({
      signer: await signerFor(deps, send),
      ...moveCall(token_contract, destination, units),
      reference,
      purpose: 'onchain send',
      gasPricePoints: BigInt(gas_points),
    });
    return { transaction, log: await record(deps, send, transaction) };
  } catch (error) {
    if (!(error instanceof ChainError) || error.kind === 'pending') throw toldByChain(error, chain);
    const row = await chain.sender.find(reference);
    // Somebody else may have sent it just now, which is why the funds were gone here.
    if (isOver(error) && (row?.status === 'PENDING' || row?.status === 'CONFIRMED'))
      return carryOut(deps, send);
    throw await giveUp(deps, send, error, row !== undefined);
  }
}

/** Ends a send that will not happen, and says so. One that may still happen stays open. */
async function giveUp(
  { db, clock, evm }: CarryOutDeps,
  send: Send,
  error: ChainError,
  isSigned: boolean,
): Promise<Error> {
  const { operation, chain_id } = send;
  const chain = evm.chains[chain_id];
  const told = toldByChain(error, chain);
  if (isOver(error)) {
    const reason = (await shortage(chain, send)) ?? told;
    await failSend(db, operation, reason.message);
    return reason;
  }
  const since = new Date(clock.now().getTime() - ALONE_MS);
  if (isSigned || !(await withdrawSend(db, operation, since))) return told;
  return fail('PROVIDER_UNAVAILABLE', `${told.message}, and nothing was sent`, { cause: error });
}

/** It did not take effect and never will. */
const isOver = ({ kind }: ChainError): boolean =>
  kind === 'insufficient_funds' || kind === 'reverted' || kind === 'refused';

/** An ended send keeps no key; its transaction is in the journal, which needs no signature then. */
async function signerFor({ db, vault, evm }: CarryOutDeps, send: Send): Promise<Signer> {
  const { wallet_address, chain_id } = send;
  const [address] = await managedAddresses(db, {}, { wallet_address, chain_id });
  if (address) return signerOf(vault, address);
  const row = await evm.chains[chain_id].sender.find(`onchain:${send.operation}`);
  if (row === undefined) throw new Error(`${send.operation} has neither a key nor a transaction`);
  return {
    address: wallet_address,
    sign: () => Promise.reject(new Error(`The key of ${wallet_address} is gone`)),
  };
}

/** The end of the send, its record and the claim to the fee: all or nothing, once. */
async function record(
  deps: CarryOutDeps,
  send: Send,
  { hash, gas_fee }: Executed,
): Promise<LogRow> {
  const { db, clock, jobs, feeJob } = deps;
  const { operation, token_symbol, fee_units, units, chain_id, token_contract } = send;
  const { user_id, client_id, bw_id, wallet_name, wallet_label } = send;
  return transact(db, async (tx) => {
    const confirmed = await confirmSend(tx, operation);
    if (!confirmed) {
      const known = await logOfSend(tx, operation);
      if (known) return known;
      throw new Error(`${operation} is confirmed without a record`);
    }
    if (confirmed.fee_status === 'DUE')
      await jobs.enqueue(tx, feeJob, { operation }, { key: operation });
    return putSentLog(tx, {
      ...{ user_id, client_id, bw_id, wallet_name, wallet_label, operation },
      ...{ token_symbol, chain_id, token_contract, tx_hash: hash },
      amount: decimal(token_symbol, units),
      destination_wallet: send.destination,
      gas_fee: formatUnits(gas_fee, 18),
      platform_fee: decimal(token_symbol, fee_units),
      created_at: clock.now().toISOString(),
    });
  });
}

/** Without the zeros at the end, as the log has it. */
export function decimal(symbol: string, units: bigint): string {
  if (!isAsset(symbol)) throw new Error(`${symbol} is nothing that we send`);
  return formatUnits(units, SCALE[symbol]);
}
