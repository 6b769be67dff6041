import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChainError, type ChainTransaction, mintTokenCall, type Signer } from '#chains/evm/port.ts';
import { releaseHold } from '#features/wallet-spending/wallet-spending.ts';
import { monotonicMs } from '#kernel/clock.ts';
import { transact } from '#kernel/db/transact.ts';
import { AppError, fail } from '#kernel/http/error.ts';
import { type CrosschainDeps, toAppError } from './deps.ts';
import { keepsLease, type Lease, releaseLease, takeLease } from './lease.ts';
import { choosePayer, lackOf, type Payer } from './payer.ts';
import { findTransfer } from './queries.ts';
import { burnReference, holdsOf } from './references.ts';
import { alreadyBurned, burnUnderWay, notReady } from './states.ts';
import { markBurned, type Transfer } from './store.ts';

/** Longer than preparing and sending may take; what is sent already needs no lease any more. */
const LEASE_MS = 120_000;
/** How long a second caller waits to hear what became of the first one's burn. */
const PATIENCE_MS = 20_000;

export interface BurnOrder {
  readonly log_id: string;
  /** A repetition of the request goes on where it was. */
  readonly operation: string;
  readonly mode: 'backend' | 'frontend';
  /** Whoever may pay, in order of preference. */
  payers(transfer: Transfer): Promise<readonly Signer[]>;
}

/**
 * INITIATED to BURNED by a transaction of ours (contract part 2, States). However many ask, one at a
 * time holds the transfer; the others are told what became of it.
 */
export async function burn(deps: CrosschainDeps, order: BurnOrder): Promise<Transfer> {
  const transfer = await takeTurn(deps, order);
  if (transfer.status !== 'INITIATED') return transfer;
  const { sender } = deps.evm.chains[transfer.from_chain];
  const known = await sender.find(burnReference(transfer));
  if (known) return settle(deps, transfer, known);
  const sent = await sendOrRelease(deps, transfer, order);
  return settle(deps, transfer, sent);
}

/**
 * Ends a burn whose holder is gone: by what the journal says of it, or by setting the transfer free
 * when nothing was ever sent. Answers nothing when there is nothing to be said yet.
 */
export async function finishBurn(deps: CrosschainDeps, { log_id }: Transfer): Promise<void> {
  const transfer = await takeLease(deps.db, log_id, term(deps));
  if (transfer === undefined) return;
  const known = await deps.evm.chains[transfer.from_chain].sender.find(burnReference(transfer));
  if (known) await settle(deps, transfer, known);
  else await releaseLease(deps.db, transfer, { nextAttempt: false });
}

function term({ clock }: CrosschainDeps): Lease {
  const now = clock.now();
  return { lease: randomUUID(), now, until: new Date(now.getTime() + LEASE_MS) };
}

/** The transfer to burn, or as it is when this very request has burnt it before a crash. */
async function takeTurn(
  deps: CrosschainDeps,
  { log_id, operation, mode }: BurnOrder,
): Promise<Transfer> {
  const { db } = deps;
  const since = monotonicMs();
  for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
    const asked = { operation, mode };
    const mine = await takeLease(db, log_id, { asked, ...term(deps) });
    if (mine) return mine;
    const found = await findTransfer(db, { log_id });
    if (found && wasBurntBy(found, operation)) return found;
    if (found?.status !== 'INITIATED') throw alreadyBurned();
    if (monotonicMs() - since > PATIENCE_MS) throw burnUnderWay();
    await sleep(pause);
  }
}

/** The burn in the journal. Whatever fails before it is sent for certain sets the transfer free. */
async function sendOrRelease(
  deps: CrosschainDeps,
  transfer: Transfer,
  order: BurnOrder,
): Promise<ChainTransaction> {
  const { db, evm } = deps;
  let isSending = false;
  try {
    const payer = await choosePayer(deps, transfer, await order.payers(transfer));
    await prepare(deps, transfer, payer);
    const call = deps.bridgeRoutes[transfer.passage].burnCalls(transfer).at(-1);
    isSending = true;
    return await evm.chains[transfer.from_chain].sender.send({
      signer: payer.signer,
      ...call,
      reference: burnReference(transfer),
      purpose: 'bridge burn',
      // Preparing may have taken long; whoever lost the transfer meanwhile must not burn.
      async permit(tx) {
        if (!(await keepsLease(tx, transfer))) throw burnUnderWay();
      },
    });
  } catch (error) {
    if (!isSending || isRefusal(error)) await releaseLease(db, transfer, { nextAttempt: false });
    throw toAppError(error, evm, transfer.from_chain);
  }
}

/** Nothing was sent, and nothing will be. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ChainError &&
  ['insufficient_funds', 'reverted', 'refused', 'wrong_chain'].includes(error.kind);

/** What must be on chain before the burn: sponsored tokens, and an allowance where one is needed. */
async function prepare(
  { evm, bridgeRoutes }: CrosschainDeps,
  transfer: Transfer,
  { signer, isSponsored }: Payer,
): Promise<void> {
  const { sender } = evm.chains[transfer.from_chain];
  const passage = bridgeRoutes[transfer.passage];
  if (isSponsored && transfer.passage === 'BRIDGE')
    await sender.execute({
      signer: evm.keys.hot,
      ...mintTokenCall(passage.token(transfer), evm.keys.hot.address, transfer.units),
      reference: burnReference(transfer, ':sponsor'),
      purpose: 'bridge sponsor',
    });
  // Each try anew: another burn of the same wallet may have set or used the allowance since.
  for (const call of passage.burnCalls(transfer).slice(0, -1))
    await sender.execute({
      signer,
      ...call,
      reference: burnReference(transfer, `:${randomUUID()}`),
      purpose: 'bridge allowance',
    });
}

/** Waits for the receipt of a burn that is in the journal, and writes down how it ended. */
async function settle(
  deps: CrosschainDeps,
  transfer: Transfer,
  sent: ChainTransaction,
): Promise<Transfer> {
  const { db, evm } = deps;
  const row = await evm.chains[transfer.from_chain].sender.settle(sent).catch((error: unknown) => {
    throw toAppError(error, evm, transfer.from_chain);
  });
  if (row.status === 'CONFIRMED') return burned(deps, transfer, row);
  // Until that is final a reorganisation may still make it happen.
  if (!row.is_final) throw notReady('The burn is not decided yet');
  await releaseLease(db, transfer, { nextAttempt: true });
  // Other transfers may have used what was there when it was checked.
  const lack = await lackOf(deps, transfer, { address: row.from_address }).catch(() => undefined);
  if (lack instanceof AppError && lack.code === 'INSUFFICIENT_FUNDS') throw lack;
  throw fail('PROVIDER_REJECTED', 'The burn was reverted on chain');
}

async function burned(
  deps: CrosschainDeps,
  transfer: Transfer,
  row: ChainTransaction,
): Promise<Transfer> {
  const { db, clock, config, evm, jobs, feeJob } = deps;
  const { log_id, burn_mode } = transfer;
  const isSponsored = row.from_address === evm.keys.hot.address;
  const isDeep = row.is_final || config.EVM_CONFIRMATIONS === 1;
  // A posted key is not kept: its fee is taken in the same request, or never.
  const isKept = burn_mode !== 'frontend';
  const owesFee = !isSponsored && !config.MOCK_MODE;
  const result = await transact(db, async (tx) => {
    const changed = await markBurned(tx, log_id, {
      hash: row.hash,
      mode: burn_mode ?? 'backend',
      proof: isDeep ? 'CHAIN' : null,
      from: row.from_address,
      is_sponsored: isSponsored,
      fee_status: feeOf(owesFee, isKept),
      isOurs: true,
      at: clock.now(),
    });
    if (changed === undefined) return undefined;
    // Where a fee is due, both holds stay until no reorganisation can bring the burn back to be paid.
    if (changed.fee_status === 'DUE') await jobs.enqueue(tx, feeJob, { log_id }, { key: log_id });
    else await releaseHold(tx, holdsOf(transfer));
    return changed;
  });
  if (result) return result;
  // Another attempt of the same request may have been the quicker one to write it down.
  const found = await findTransfer(db, { log_id });
  if (found && transfer.operation !== null && wasBurntBy(found, transfer.operation)) return found;
  throw alreadyBurned();
}

function feeOf(isOwed: boolean, isKept: boolean): Transfer['fee_status'] {
  if (!isOwed) return 'NONE';
  return isKept ? 'DUE' : 'UNPAID';
}

/** A repetition of the request that burnt it is told what the first one was not. */
export const wasBurntBy = (transfer: Transfer, operation: string): boolean =>
  transfer.burn_tx_hash !== null && transfer.operation === operation;

/** For the log: an error that says nothing new is no news. */
export const isExpected = (error: unknown): boolean =>
  error instanceof AppError && error.code !== 'INTERNAL';
