import type { Hash } from 'viem';
import type { ContractCall } from '#chains/evm/contracts/port.ts';
import {
  ChainError,
  type ChainTransaction,
  finalityOf,
  findByReference,
  hasFailed,
} from '#chains/evm/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineEffect, type EffectAttempt } from '#kernel/effects/effect.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import type { Intent } from '#kernel/effects/runner.ts';
import { AppError, fail } from '#kernel/error.ts';
import { isNotConfigured, notConfigured } from '#kernel/provider-call.ts';
import { transact } from '#kernel/transact.ts';
import { type CrosschainActor, noteStep } from '../audit.ts';
import { notTheBurn, proveBurn } from '../burn/reported.ts';
import type { CrosschainBase, CrosschainDeps, MintEffect, Minted } from '../deps.ts';
import { oursRefused } from '../faults.ts';
import { findCrosschainTransfer } from '../read-store.ts';
import { undoDroppedBurn, withCurrentHashes } from '../reconciliation/dropped.ts';
import { alreadyMinted, notBurned, notReady } from '../states.ts';
import {
  type CrosschainTransfer,
  countMint,
  findAttempt,
  lockTransfer,
  markMinted,
  markProven,
  mintId,
  mintReference,
  startMint,
} from '../store.ts';

export interface MintOrder {
  /** A repetition of the request gets the answer that the first one did not get. */
  readonly operation: string;
  readonly asked: CrosschainActor;
}

/**
 * BURNED to MINTED (contract part 2, States), only against a burn that was seen on the source chain
 * with its confirmations. Once on chain: by the journal's name here, by the nonce there. Once begun it
 * is followed up until it is minted, for every caller.
 */
export async function mint(
  deps: CrosschainDeps,
  found: CrosschainTransfer,
  order: MintOrder,
): Promise<CrosschainTransfer> {
  const { operation } = order;
  if (wasMintedBy(found, operation)) return found;
  const transfer = await withCurrentHashes(deps.db, found);
  const hash = burnOf(transfer);
  if (await undoDroppedBurn(deps, transfer)) throw notBurned();
  await requireProof(deps, transfer, hash);
  const begun = await transact(deps.db, (tx) => begin(deps, tx, transfer, order));
  if (begun === undefined) return outcomeOfAttempt(deps, found, operation);
  const { id, intent } = begun;
  const ending = await deps.effects.drive(deps.mints, id, { intent, owner: operation });
  if (ending.state === 'settled') return outcomeOfAttempt(deps, found, operation);
  if (ending.state === 'refused') throw notReady(ending.why.message);
  throw ending.details instanceof AppError ? ending.details : undecided();
}

const undecided = () => notReady('The mint is not decided yet');

const wasMintedBy = ({ status, mint_operation }: CrosschainTransfer, operation: string): boolean =>
  status === 'MINTED' && mint_operation === operation;

function burnOf({ status, burn_tx_hash }: CrosschainTransfer): Hash {
  if (status === 'MINTED') throw alreadyMinted();
  if (burn_tx_hash === null) throw notBurned();
  return burn_tx_hash;
}

async function requireProof(
  deps: CrosschainDeps,
  transfer: CrosschainTransfer,
  hash: Hash,
): Promise<void> {
  if (transfer.burn_proof === 'CHAIN') return;
  const proof = await proveBurn(deps, transfer, hash);
  if ('proven' in proof) {
    await markProven(deps.db, transfer.log_id);
    return;
  }
  if (isTrusted(deps, transfer) && proof.disproof === 'unknown') return;
  // A burn that a reorganisation has taken back may come again, so the transfer stays as it is.
  if (proof.disproof === 'unknown') throw notReady('The burn is not on chain at the moment');
  throw notTheBurn(proof.disproof, transfer);
}

const isTrusted = ({ config }: CrosschainBase, { burn_proof }: CrosschainTransfer): boolean =>
  burn_proof === 'CHAIN' || (config.MOCK_MODE && burn_proof === 'WORD');

interface Begun {
  readonly id: string;
  /** Nothing where the mint was begun before. */
  readonly intent: Intent | undefined;
}

/** Nothing when there is nothing to mint any more. */
async function begin(
  { effects, mints, clock, legs }: CrosschainDeps,
  tx: Db,
  { log_id }: CrosschainTransfer,
  { operation, asked }: MintOrder,
): Promise<Begun | undefined> {
  const transfer = await lockTransfer(tx, log_id);
  if (transfer?.status !== 'BURNED') return undefined;
  const id = mintId(transfer);
  // Asked first: who ends an effect has it locked, and waits for the transfer that is locked here.
  if (await effects.find(tx, mints.kind, id)) return { id, intent: undefined };
  await startMint(tx, log_id, { operation, at: clock.now() });
  await noteStep({ tx, legs }, 'CROSSCHAIN_MINT', transfer, { asked });
  return { id, intent: await effects.begin(tx, mints, id, { owner: operation }) };
}

/** Somebody else may have been first, perhaps the job with what this very request had begun. */
async function outcomeOfAttempt(
  { db }: CrosschainDeps,
  { log_id }: CrosschainTransfer,
  operation: string,
): Promise<CrosschainTransfer> {
  const now = await findCrosschainTransfer(db, { log_id });
  if (now && wasMintedBy(now, operation)) return now;
  throw now?.status === 'MINTED' ? alreadyMinted() : notBurned();
}

const MINUTE_MS = 60_000;

/**
 * One attempt to mint a transfer, by transfer and attempt. It has cost somebody a burn, so it is never
 * given up: what the destination chain or the attestation service refuses today they may take tomorrow.
 * Only a transaction that has finally been reverted ends it, and begins the next attempt.
 */
export function createMintEffect(base: CrosschainBase): MintEffect {
  const { clock, effects, legs } = base;
  const mints: MintEffect = defineEffect<CrosschainTransfer, Minted>({
    kind: 'mint',
    provider: 'evm',
    repeatable: true,
    // Longer than a request waits for the receipt.
    headStartMs: 2 * MINUTE_MS,
    pauses: { firstMs: MINUTE_MS, maxMs: 10 * MINUTE_MS },
    open: (db, id) => findAttempt(db, 'mint_attempt', id),
    names: ({ nonce, mint_attempt }) => [mintReference(nonce, mint_attempt)],
    call: (transfer, attempt) => send(base, transfer, attempt),
    lookUp: (transfer, attempt) => lookUp(base, transfer, attempt),
    async settle(tx, { log_id }, { hash, operation }) {
      const minted = await markMinted(tx, log_id, { hash, operation, at: clock.now() });
      if (minted === undefined) throw new Error(`${log_id} was minted and is not BURNED`);
      await noteStep({ tx, legs }, 'CROSSCHAIN_MINTED', minted, { tx_hash: hash });
    },
    async refuse(tx, transfer, { message }) {
      const next = await countMint(tx, transfer);
      if (next === undefined) throw new Error(`${transfer.log_id} is not BURNED`);
      const at = new Date(clock.now().getTime() + MINUTE_MS);
      await effects.begin(tx, mints, mintId(next), { left: { at } });
      await noteStep({ tx, legs }, 'CROSSCHAIN_MINT_REFUSED', next, { message });
      return true;
    },
  });
  return mints;
}

/** What the journal knows of it, and of the attempts before, which may have come through after all. */
async function lookUp(
  base: CrosschainBase,
  transfer: CrosschainTransfer,
  attempt: EffectAttempt,
): Promise<Outcome<Minted | undefined>> {
  const { nonce, mint_attempt } = transfer;
  const names = Array.from({ length: mint_attempt }, (_, i) => mintReference(nonce, i + 1));
  const rows = await findByReference(base.db, names);
  const found =
    rows.find(({ status }) => status === 'CONFIRMED') ??
    rows.find(({ reference }) => reference === names.at(-1));
  return found ? withReceipt(base, transfer, { attempt, row: found }) : done(undefined);
}

async function send(
  base: CrosschainBase,
  found: CrosschainTransfer,
  attempt: EffectAttempt,
): Promise<Outcome<Minted>> {
  const { db, evm } = base;
  const transfer = await withCurrentHashes(db, found);
  const call = await mintCall(base, transfer);
  if (call instanceof AppError) return unknown(call.message, call);
  const { nonce, to_chain, mint_attempt } = transfer;
  try {
    const row = await evm.chains[to_chain].sender.send({
      signer: evm.keys.relayer,
      ...call,
      reference: mintReference(nonce, mint_attempt),
      purpose: 'bridge mint',
      permit: (tx) => attempt.permit(tx),
    });
    return await withReceipt(base, transfer, { attempt, row });
  } catch (error) {
    return inDoubt(base, transfer, error);
  }
}

/** What the relayer signs, or why it does not. */
async function mintCall(
  base: CrosschainBase,
  transfer: CrosschainTransfer,
): Promise<ContractCall | AppError> {
  const { from_chain, burn_tx_hash, bridge_route } = transfer;
  const isLost = (await finalityOf(base.db, from_chain, burn_tx_hash)) === 'lost';
  if (burn_tx_hash === null || isLost || !isTrusted(base, transfer))
    return notReady('The burn is not on chain at the moment');
  const outcome = await base.bridgeRoutes[bridge_route].mintCall(transfer, burn_tx_hash);
  if (isNotConfigured(outcome)) return notConfigured('The attestation service');
  if (outcome.kind === 'refused') return fail('PROVIDER_REJECTED', outcome.message);
  if (outcome.kind === 'unknown')
    return fail('PROVIDER_UNAVAILABLE', 'The attestation service cannot be reached', {
      retryAfter: 5,
    });
  return outcome.value ?? notReady('The burn is not attested yet');
}

async function withReceipt(
  base: CrosschainBase,
  transfer: CrosschainTransfer,
  { attempt, row }: { readonly attempt: EffectAttempt; readonly row: ChainTransaction },
): Promise<Outcome<Minted>> {
  const { sender } = base.evm.chains[transfer.to_chain];
  try {
    const ended = await sender.awaitReceipt(row);
    if (ended.status === 'CONFIRMED') return done({ hash: ended.hash, operation: attempt.owner });
    if (hasFailed(ended)) return refused('REVERTED', 'The mint was reverted on chain');
    return unknown('The mint is not decided yet', undecided());
  } catch (error) {
    return inDoubt(base, transfer, error);
  }
}

/** The caller did nothing wrong where it is refused: the relayer has no coins, or the bridge is paused. */
function inDoubt(
  { evm }: CrosschainBase,
  { to_chain }: CrosschainTransfer,
  error: unknown,
): Outcome<never> {
  if (!(error instanceof ChainError)) throw error;
  const reported = oursRefused(
    error,
    evm.chains[to_chain],
    'The destination chain refuses the mint',
  );
  return unknown(`${reported.message}: ${error.message}`, reported);
}
