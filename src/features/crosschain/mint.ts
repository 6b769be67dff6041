import type { Hash } from 'viem';
import { ChainError, type ChainTransaction, type ContractCall } from '#chains/evm/port.ts';
import { fail } from '#kernel/http/error.ts';
import { isNotConfigured, notConfigured } from '#providers/provider.ts';
import { type CrosschainDeps, toAppError } from './deps.ts';
import { undoDroppedBurn } from './dropped.ts';
import { findTransfer } from './queries.ts';
import { mintReference } from './references.ts';
import { withCurrentHashes } from './replaced.ts';
import { notTheBurn, proveBurn } from './reported-burn.ts';
import { alreadyMinted, notBurned, notReady } from './states.ts';
import { countMint, markMinted, markProven, startMint, type Transfer } from './store.ts';

/**
 * BURNED to MINTED (contract part 2, States), only against a burn that was seen on the source chain
 * with its confirmations. Once on chain: by the journal's name here, by the nonce there. Without an
 * operation it is nobody's request.
 */
export async function mint(
  deps: CrosschainDeps,
  asked: Transfer,
  operation?: string,
): Promise<Transfer> {
  const { db, clock } = deps;
  if (wasMintedBy(asked, operation)) return asked;
  const present = await withCurrentHashes(deps.db, asked);
  const hash = burnOf(present);
  if (await undoDroppedBurn(deps, present)) throw notBurned();
  await assertProven(deps, asked, hash);
  const transfer = await startMint(db, asked.log_id, operation, clock.now());
  if (transfer === undefined) return tell(deps, asked, operation);
  const sent =
    (await sentBefore(deps, transfer)) ??
    (await sendMint(deps, transfer, hash, transfer.mint_attempt));
  const minted = await markMinted(db, transfer.log_id, {
    hash: sent.hash,
    operation,
    at: clock.now(),
  });
  return minted ?? tell(deps, asked, operation);
}

/** A repetition of the request that minted it is told what the first one was not. */
const wasMintedBy = ({ status, mint_operation }: Transfer, operation?: string): boolean =>
  status === 'MINTED' && operation !== undefined && mint_operation === operation;

function burnOf({ status, burn_tx_hash }: Transfer): Hash {
  if (status === 'MINTED') throw alreadyMinted();
  if (burn_tx_hash === null) throw notBurned();
  return burn_tx_hash;
}

/** Somebody else was first, perhaps the recovery with what this very request had begun. */
async function tell(
  { db }: CrosschainDeps,
  { log_id }: Transfer,
  operation?: string,
): Promise<Transfer> {
  const now = await findTransfer(db, { log_id });
  if (now && wasMintedBy(now, operation)) return now;
  throw now?.status === 'MINTED' ? alreadyMinted() : notBurned();
}

async function assertProven(deps: CrosschainDeps, transfer: Transfer, hash: Hash): Promise<void> {
  if (transfer.burn_proof === 'CHAIN') return;
  const proof = await proveBurn(deps, transfer, hash);
  if ('proven' in proof) {
    await markProven(deps.db, transfer.log_id);
    return;
  }
  const isTrusted = deps.config.MOCK_MODE && transfer.burn_proof === 'WORD';
  if (isTrusted && proof.disproof === 'unknown') return;
  // A burn that a reorganisation has taken back may come again, so the transfer stays as it is.
  if (proof.disproof === 'unknown') throw notReady('The burn is not on chain at the moment');
  throw notTheBurn(proof.disproof, transfer);
}

/** An earlier attempt may have come through after all. */
async function sentBefore(
  { evm }: CrosschainDeps,
  { nonce, to_chain, mint_attempt }: Transfer,
): Promise<ChainTransaction | undefined> {
  for (let attempt = 1; attempt < mint_attempt; attempt += 1) {
    const row = await evm.chains[to_chain].sender.find(mintReference(nonce, attempt));
    if (row?.status === 'CONFIRMED') return row;
  }
  return undefined;
}

async function sendMint(
  deps: CrosschainDeps,
  transfer: Transfer,
  hash: Hash,
  attempt: number,
): Promise<ChainTransaction> {
  const { db, evm } = deps;
  const { sender } = evm.chains[transfer.to_chain];
  const reference = mintReference(transfer.nonce, attempt);
  try {
    const sent =
      (await sender.find(reference)) ??
      (await sender.send({
        signer: evm.keys.relayer,
        ...(await mintCall(deps, transfer, hash)),
        reference,
        purpose: 'bridge mint',
      }));
    const row = await sender.settle(sent);
    if (row.status === 'CONFIRMED') return row;
    if (!row.is_final) throw notReady('The mint is not decided yet');
    await countMint(db, transfer.log_id, attempt);
    throw notReady('The mint was reverted on chain');
  } catch (error) {
    // The caller did nothing wrong: the relayer is out of coins, or the bridge is paused.
    if (error instanceof ChainError && error.kind !== 'pending' && error.kind !== 'unreachable')
      throw fail('PROVIDER_UNAVAILABLE', 'The destination chain refuses the mint', {
        retryAfter: 60,
        cause: error,
      });
    throw toAppError(error, evm, transfer.to_chain);
  }
}

async function mintCall(
  { bridgeRoutes }: CrosschainDeps,
  transfer: Transfer,
  hash: Hash,
): Promise<ContractCall> {
  const outcome = await bridgeRoutes[transfer.passage].mintCall(transfer, hash);
  if (outcome.kind === 'refused') throw fail('PROVIDER_REJECTED', outcome.message);
  if (isNotConfigured(outcome)) throw notConfigured('The attestation service');
  if (outcome.kind === 'unknown')
    throw fail('PROVIDER_UNAVAILABLE', 'The attestation service cannot be reached', {
      retryAfter: 5,
    });
  if (outcome.value) return outcome.value;
  throw notReady('The burn is not attested yet');
}
