import type { Hash } from 'viem';
import type { Disproof } from '#chains/evm/proofs.ts';
import { sqlState, transact } from '#kernel/db/transact.ts';
import { type AppError, fail } from '#kernel/http/error.ts';
import { wasBurntBy } from './burn.ts';
import { type CrosschainDeps, told } from './deps.ts';
import { findTransfer } from './queries.ts';
import { alreadyBurned, burnUnderWay, notReady } from './states.ts';
import { type BurnFacts, type BurnMode, markBurned, markFailed, type Transfer } from './store.ts';

/**
 * INITIATED to BURNED by the word of the caller, who names the transaction. What is on chain must be
 * this transfer's burn; out of mock mode it must be there, with its confirmations (decisions).
 */
export async function acceptBurn(
  deps: CrosschainDeps,
  transfer: Transfer,
  { hash, mode, operation }: Word & { readonly mode: BurnMode },
): Promise<Transfer> {
  if (wasBurntBy(transfer, operation)) return transfer;
  assertOpen(transfer);
  const proof = await proveBurn(deps, transfer, hash);
  const facts = { hash, mode, operation, isOurs: false, at: deps.clock.now() };
  if ('proven' in proof)
    return mark(deps, transfer, { ...facts, proof: 'CHAIN', from: proof.proven.from });
  if (proof.disproof === 'unknown' && deps.config.MOCK_MODE)
    return mark(deps, transfer, { ...facts, proof: 'WORD' });
  throw notTheBurn(proof.disproof, transfer);
}

interface Word {
  readonly hash: Hash;
  readonly operation: string;
}

/** INITIATED to FAILED. A transaction that did burn this transfer is no failure. */
export async function acceptFailure(
  deps: CrosschainDeps,
  transfer: Transfer,
  { hash, operation }: Word,
): Promise<Transfer> {
  if (transfer.status === 'FAILED' && transfer.operation === operation) return transfer;
  assertOpen(transfer);
  const proof = await proveBurn(deps, transfer, hash);
  if ('proven' in proof || proof.disproof === 'unconfirmed')
    throw fail('VALIDATION_ERROR', 'The transaction has burnt this transfer; confirm it as BURNED');
  const failed = await transact(deps.db, (tx) =>
    markFailed(tx, transfer.log_id, { operation, at: deps.clock.now() }),
  );
  return failed ?? refuse(deps, transfer);
}

function assertOpen({ status }: Transfer): void {
  if (status !== 'INITIATED') throw alreadyBurned();
}

async function mark(deps: CrosschainDeps, transfer: Transfer, facts: BurnFacts): Promise<Transfer> {
  try {
    return (await markBurned(deps.db, transfer.log_id, facts)) ?? (await refuse(deps, transfer));
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
  const { evm, config, passages } = deps;
  try {
    const passage = passages[transfer.passage];
    return await passage.proveBurn(transfer, hash, config.EVM_CONFIRMATIONS);
  } catch (error) {
    throw told(error, evm, transfer.from_chain);
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
