import type { Hash } from 'viem';
import type { Disproof } from '#chains/evm/port.ts';
import { sqlState, transact } from '#kernel/db/transact.ts';
import { type AppError, fail } from '#kernel/http/error.ts';
import type { UserCaller } from '#kernel/http/route.ts';
import { wasBurntBy } from './burn.ts';
import { type CrosschainDeps, toAppError } from './deps.ts';
import { type GivenUp, lookLater } from './given-up.ts';
import { findTransfer } from './queries.ts';
import { alreadyBurned, burnUnderWay, notReady } from './states.ts';
import {
  type BurnFacts,
  type BurnMode,
  markBurned,
  markFailed,
  type Transfer,
  takeUpAgain,
} from './store.ts';

/**
 * INITIATED to BURNED by the word of the caller, who names the transaction. What is on chain must be
 * this transfer's burn; out of mock mode it must be there, with its confirmations (decisions). A burn
 * that is proven counts for a transfer that was called failed, too.
 */
export async function acceptReportedBurn(
  deps: CrosschainDeps,
  transfer: Transfer,
  { hash, mode, operation }: BurnReport & { readonly mode: BurnMode },
): Promise<Transfer> {
  if (wasBurntBy(transfer, operation)) return transfer;
  const { status } = transfer;
  if (status !== 'INITIATED' && status !== 'FAILED') throw alreadyBurned();
  const proof = await proveBurn(deps, transfer, hash);
  const facts = { hash, mode, operation, isOurs: false, at: deps.clock.now() };
  if ('proven' in proof)
    return mark(deps, transfer, { ...facts, proof: 'CHAIN', from: proof.proven.from });
  if (status === 'FAILED' && proof.disproof !== 'unconfirmed') throw alreadyBurned();
  if (proof.disproof === 'unknown' && deps.config.MOCK_MODE)
    return mark(deps, transfer, { ...facts, proof: 'WORD' });
  throw notTheBurn(proof.disproof, transfer);
}

interface BurnReport {
  readonly hash: Hash;
  readonly operation: string;
}

/**
 * INITIATED to FAILED, which only the owner may say, and only while the source chain knows no burn of
 * this transfer, whichever transaction the caller names. A burn that was on its way then is looked
 * for afterwards.
 */
export async function acceptReportedFailure(
  deps: CrosschainDeps & GivenUp,
  transfer: Transfer,
  { caller, hash, operation }: BurnReport & { readonly caller: UserCaller },
): Promise<Transfer> {
  const { log_id, status } = transfer;
  if (caller.user_id !== transfer.user_id)
    throw fail('ACCESS_DENIED', 'Only its owner may call a transfer failed');
  if (status === 'FAILED' && transfer.operation === operation) return transfer;
  if (status !== 'INITIATED') throw alreadyBurned();
  if (transfer.lease !== null) throw burnUnderWay();
  const proof = await proveBurn(deps, transfer, hash);
  if ('proven' in proof || proof.disproof === 'unconfirmed') throw burntAlready(hash);
  const burn = await findBurn(deps, transfer);
  if (burn !== undefined) throw burntAlready(burn);
  const failed = await transact(deps.db, async (tx) => {
    const marked = await markFailed(tx, log_id, { operation, at: deps.clock.now() });
    if (marked) await lookLater(deps, tx, marked);
    return marked;
  });
  return failed ?? refuse(deps, transfer);
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
  deps: CrosschainDeps,
  transfer: Transfer,
): Promise<Hash | undefined> {
  const { clock, evm, bridgeRoutes } = deps;
  const since = new Date(transfer.created_at).getTime() - clock.offsetMs - CLOCKS_MS;
  try {
    return await bridgeRoutes[transfer.passage].findBurn(transfer, new Date(since));
  } catch (error) {
    throw toAppError(error, evm, transfer.from_chain);
  }
}

async function mark(deps: CrosschainDeps, transfer: Transfer, facts: BurnFacts): Promise<Transfer> {
  const { log_id } = transfer;
  try {
    const burned =
      transfer.status === 'FAILED'
        ? await transact(deps.db, (tx) => takeUpAgain(tx, log_id, facts))
        : await markBurned(deps.db, log_id, facts);
    return burned ?? (await refuse(deps, transfer));
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    if (sqlState(error) === '23505' && constraint === 'crosschain_burn_once')
      throw fail('CONFLICT', 'This burn backs another transfer already');
    throw error;
  }
}

/** Somebody else was first, or is at it. */
async function refuse({ db }: CrosschainDeps, { log_id }: Transfer): Promise<never> {
  const now = await findTransfer(db, { log_id });
  throw now?.status === 'INITIATED' ? burnUnderWay() : alreadyBurned();
}

/** What the source chain says of that transaction. */
export async function proveBurn(deps: CrosschainDeps, transfer: Transfer, hash: Hash) {
  const { evm, config, bridgeRoutes } = deps;
  try {
    const passage = bridgeRoutes[transfer.passage];
    return await passage.proveBurn(transfer, hash, config.EVM_CONFIRMATIONS);
  } catch (error) {
    throw toAppError(error, evm, transfer.from_chain);
  }
}

export function notTheBurn(disproof: Disproof, { from_chain }: Transfer): AppError {
  if (disproof === 'unconfirmed') return notReady('The burn has too few confirmations yet');
  const text = {
    unknown: `The transaction is not known on ${from_chain}`,
    reverted: 'The transaction was reverted',
    other: 'The transaction is not the burn of this transfer',
  }[disproof];
  return fail('VALIDATION_ERROR', text);
}
