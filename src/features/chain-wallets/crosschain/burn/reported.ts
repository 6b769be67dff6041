import { randomUUID } from 'node:crypto';
import type { Hash } from 'viem';
import type { Disproof } from '#chains/evm/contracts/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { sqlState } from '#kernel/db/sql-errors.ts';
import { AppError, fail } from '#kernel/error.ts';
import { type Again, defineJob, type Job } from '#kernel/jobs/job.ts';
import { transact } from '#kernel/transact.ts';
import { type CrosschainActor, noteStep } from '../audit.ts';
import type { CrosschainBase, CrosschainDeps } from '../deps.ts';
import { toCrosschainAppError } from '../faults.ts';
import { findCrosschainTransfer } from '../read-store.ts';
import { alreadyBurned, burnUnderWay, notReady } from '../states.ts';
import {
  type BurnFacts,
  type BurnMode,
  type CrosschainTransfer,
  lockTransfer,
  markBurned,
  markFailed,
  reopen,
} from '../store.ts';
import { isBurning, wasBurntBy } from './effect.ts';

interface BurnReport {
  readonly hash: Hash;
  readonly operation: string;
}

/**
 * INITIATED to BURNED by the word of the caller, who names the transaction. What is on chain must be
 * this transfer's burn; out of mock mode it must be there, with its confirmations (decisions). A burn
 * that is proven counts for a transfer that was called failed, too.
 */
export async function acceptReportedBurn(
  deps: CrosschainBase,
  transfer: CrosschainTransfer,
  {
    hash,
    mode,
    operation,
    asked,
  }: BurnReport & {
    readonly mode: BurnMode;
    /** Nothing where the service itself has found it. */
    readonly asked?: CrosschainActor;
  },
): Promise<CrosschainTransfer> {
  if (wasBurntBy(transfer, operation)) return transfer;
  const { status } = transfer;
  if (status !== 'INITIATED' && status !== 'FAILED') throw alreadyBurned();
  const proof = await proveBurn(deps, transfer, hash);
  const facts = { hash, mode, operation, asked, at: deps.clock.now() };
  if ('proven' in proof)
    return mark(deps, transfer, { ...facts, proof: 'CHAIN', from: proof.proven.from });
  if (status === 'FAILED' && proof.disproof !== 'unconfirmed') throw alreadyBurned();
  if (proof.disproof === 'unknown' && deps.config.MOCK_MODE)
    return mark(deps, transfer, { ...facts, proof: 'WORD' });
  throw notTheBurn(proof.disproof, transfer);
}

/**
 * INITIATED to FAILED, which only the owner may say, and only while the source chain knows no burn of
 * this transfer, whichever transaction the caller names. A burn that was on its way then is looked
 * for afterwards.
 */
export async function acceptReportedFailure(
  deps: CrosschainDeps,
  transfer: CrosschainTransfer,
  { hash, operation, asked }: BurnReport & { readonly asked: CrosschainActor },
): Promise<CrosschainTransfer> {
  const { log_id, status } = transfer;
  if (asked.caller.user_id !== transfer.user_id)
    throw fail('ACCESS_DENIED', 'Only its owner may call a transfer failed');
  if (status === 'FAILED' && transfer.operation === operation) return transfer;
  if (status !== 'INITIATED') throw alreadyBurned();
  if (await isBurning(deps, deps.db, transfer)) throw burnUnderWay();
  const proof = await proveBurn(deps, transfer, hash);
  if ('proven' in proof || proof.disproof === 'unconfirmed') throw burntAlready(hash);
  const burn = await findBurn(deps, transfer);
  if (burn !== undefined) throw burntAlready(burn);
  return unlessBurning(deps, log_id, async (tx) => {
    const failed = await markFailed(tx, log_id, { operation, at: deps.clock.now() });
    if (failed === undefined) return undefined;
    await deps.jobs.enqueue(tx, deps.lookForBurn, { log_id }, { key: log_id });
    await noteStep({ tx, legs: deps.legs }, 'CROSSCHAIN_CONFIRM', failed, { asked });
    return failed;
  });
}

const burntAlready = (tx_hash: Hash): AppError =>
  fail('VALIDATION_ERROR', 'The transfer is burnt already; confirm it as BURNED', {
    details: { tx_hash },
  });

/** Clocks differ, and a chain's is its validators'. */
const CLOCKS_MS = 3600_000;

/**
 * The transaction that has burnt this transfer, if the source chain knows one. The service's clock may
 * be ahead of the chain's, where the sandbox has moved it.
 */
export async function findBurn(
  deps: CrosschainBase,
  transfer: CrosschainTransfer,
): Promise<Hash | undefined> {
  const { clock, evm, bridgeRoutes } = deps;
  const since = new Date(transfer.created_at).getTime() - clock.offsetMs - CLOCKS_MS;
  try {
    return await bridgeRoutes[transfer.bridge_route].findBurn(transfer, new Date(since));
  } catch (error) {
    throw toCrosschainAppError(error, evm.chains[transfer.from_chain]);
  }
}

async function mark(
  deps: CrosschainBase,
  { log_id, status }: CrosschainTransfer,
  facts: BurnFacts & { readonly asked: CrosschainActor | undefined },
): Promise<CrosschainTransfer> {
  const write = status === 'FAILED' ? reopen : markBurned;
  try {
    return await unlessBurning(deps, log_id, async (tx) => {
      const burned = await write(tx, log_id, facts);
      const { asked, mode, hash: tx_hash } = facts;
      const action = mode === 'confirm' ? 'CROSSCHAIN_CONFIRM' : 'CROSSCHAIN_BURN';
      if (burned) await noteStep({ tx, legs: deps.legs }, action, burned, { asked, tx_hash });
      return burned;
    });
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    if (sqlState(error) === '23505' && constraint === 'crosschain_burn_once')
      throw fail('CONFLICT', 'This burn backs another transfer already');
    throw error;
  }
}

/**
 * Writes down what somebody says of a burn, unless one of ours is open: both could have happened. The
 * lock keeps that as it is until it is written.
 */
const unlessBurning = (
  deps: CrosschainBase,
  log_id: string,
  write: (tx: Db) => Promise<CrosschainTransfer | undefined>,
): Promise<CrosschainTransfer> =>
  transact(deps.db, async (tx) => {
    const transfer = await lockTransfer(tx, log_id);
    if (transfer && (await isBurning(deps, tx, transfer))) throw burnUnderWay();
    const written = await write(tx);
    if (written === undefined) throw alreadyBurned();
    return written;
  });

/** What the source chain says of that transaction. */
export async function proveBurn(deps: CrosschainBase, transfer: CrosschainTransfer, hash: Hash) {
  const { evm, config, bridgeRoutes } = deps;
  try {
    const route = bridgeRoutes[transfer.bridge_route];
    return await route.proveBurn(transfer, hash, config.EVM_CONFIRMATIONS);
  } catch (error) {
    throw toCrosschainAppError(error, evm.chains[transfer.from_chain]);
  }
}

export function notTheBurn(disproof: Disproof, { from_chain }: CrosschainTransfer): AppError {
  if (disproof === 'unconfirmed') return notReady('The burn has too few confirmations yet');
  const text = {
    unknown: `The transaction is not known on ${from_chain}`,
    reverted: 'The transaction was reverted',
    other: 'The transaction is not the burn of this transfer',
  }[disproof];
  return fail('VALIDATION_ERROR', text);
}

const MINUTE_MS = 60_000;
/**
 * How long after it was called failed a transfer's burn is looked for: a transaction may wait that long
 * for its block. One that comes later still counts when somebody tells of it.
 */
const CHECKS_MS = [10, 60, 6 * 60, 24 * 60].map((minutes) => minutes * MINUTE_MS);

/** Looks on chain for the burns of transfers that somebody has called failed, and takes them up again. */
export const lookForBurnJob = (base: CrosschainBase): Job<{ log_id: string }> =>
  defineJob({
    name: 'crosschain.look-for-burn',
    async run({ log_id }) {
      const transfer = await findCrosschainTransfer(base.db, { log_id });
      if (transfer?.status !== 'FAILED') return undefined;
      const hash = await findBurn(base, transfer);
      if (hash === undefined) return nextCheck(base, transfer);
      try {
        const operation = randomUUID();
        await acceptReportedBurn(base, transfer, { hash, mode: 'confirm', operation });
      } catch (error) {
        // Not deep enough yet, or another report of it came first.
        if (error instanceof AppError && error.code !== 'INTERNAL')
          return { again: new Date(base.clock.now().getTime() + MINUTE_MS) };
        throw error;
      }
      base.log.warn({ crosschain_log: log_id }, 'A transfer that was called failed has been burnt');
      return undefined;
    },
  });

/** Nothing after the last time. */
function nextCheck(
  { clock }: CrosschainBase,
  { updated_at }: CrosschainTransfer,
): Again | undefined {
  const failedAt = Date.parse(updated_at);
  const at = CHECKS_MS.map((ms) => failedAt + ms).find((ms) => ms > clock.now().getTime());
  return at === undefined ? undefined : { again: new Date(at) };
}
