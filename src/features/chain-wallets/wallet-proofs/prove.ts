import { isSignedByPaymentKey } from '#chains/cardano/port.ts';
import { ChainError, isChainKey, messageSigner } from '#chains/evm/port.ts';
import { managedOwners } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { lockUserInScope } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { transact } from '#kernel/transact.ts';
import type { WalletProofDeps } from './deps.ts';
import { emitProof } from './events.ts';
import {
  countProofs,
  deleteProof,
  insertProof,
  lockProofsOf,
  PROOFS_MAX,
  type ProvenWallet,
  proofOf,
  renewProof,
  takeChallenge,
  type WalletChallenge,
} from './store.ts';

export interface SignedChallenge {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly challenge_id: string;
  readonly signature: string;
  /** The signer's key; on the EVM chains the signature suffices. */
  readonly public_key?: string | undefined;
}

type Made = Pick<SignedChallenge, 'signature' | 'public_key'>;

/**
 * Makes the wallet that has signed a challenge its user's. The challenge is used up whatever becomes of it,
 * so that there is one try for each. The present holder of the key is the owner: a former one loses the wallet, with an event
 * and a mail. Throws NOT_FOUND, INVALID_SIGNATURE, CONFLICT for a wallet that the service manages, LIMIT_EXCEEDED,
 * and PROVIDER_UNAVAILABLE where a ledger has to be read and does not answer.
 */
export async function proveWallet(
  deps: WalletProofDeps,
  signed: SignedChallenge,
): Promise<ProvenWallet> {
  const { db, clock } = deps;
  const { caller, challenge_id } = signed;
  const { user_id, client_id } = caller;
  const id = challenge_id.toLowerCase();
  const challenge = await takeChallenge(db, { challenge_id: id, user_id, client_id }, clock.now());
  if (challenge === undefined)
    throw fail('NOT_FOUND', 'There is no such challenge, or it was used or has expired');
  const reach = await reachOf(deps, challenge, signed);
  if (reach === undefined)
    throw fail('INVALID_SIGNATURE', 'The signature is not the wallet’s, or of another text', {
      status: 400,
      hint: 'Ask for a new challenge and sign its message as it is, byte for byte.',
    });
  return transact(db, (tx) => record(deps, tx, { challenge, reach, signed }));
}

/** Where the signature holds; nothing where it does not. */
async function reachOf(
  { evm, xrpl }: WalletProofDeps,
  { chain_id, wallet_address, message }: WalletChallenge,
  { signature, public_key: publicKey = '' }: Made,
): Promise<string | undefined> {
  if (isChainKey(chain_id)) {
    const address = wallet_address as `0x${string}`;
    const made = { address, message, signature };
    const signer = await messageSigner(evm.chains[chain_id], made).catch(ifAway);
    return signer && (signer === 'key' ? 'evm' : chain_id);
  }
  const made = { address: wallet_address, message, signature, publicKey };
  if (chain_id === 'cardano') return (await isSignedByPaymentKey(made)) ? chain_id : undefined;
  const outcome = await xrpl.isSignedFor(made);
  if (outcome.kind !== 'done') throw away();
  return outcome.value ? chain_id : undefined;
}

function ifAway(error: unknown): never {
  throw error instanceof ChainError ? away() : error;
}

const away = (): AppError =>
  fail('PROVIDER_UNAVAILABLE', 'The chain cannot be reached: ask for a new challenge later', {
    retryAfter: 5,
  });

interface Proof {
  readonly challenge: WalletChallenge;
  readonly reach: string;
  readonly signed: Pick<SignedChallenge, 'caller' | 'request'>;
}

async function record(
  { clock, notices }: WalletProofDeps,
  tx: Db,
  { challenge, reach, signed: { caller, request } }: Proof,
): Promise<ProvenWallet> {
  const { user_id, chain_id, wallet_address } = challenge;
  await lockUserInScope(tx, { user_id }, user_id);
  await lockProofsOf(tx, wallet_address);
  if ((await managedOwners(tx, [wallet_address])).size > 0)
    throw fail('CONFLICT', 'The service keeps the key of this wallet: it needs no proof');
  const at = clock.now();
  const earlier = await proofOf(tx, { wallet_address, reach });
  if (earlier?.user_id === user_id) return renewProof(tx, earlier.proof_id, at);
  if ((await countProofs(tx, user_id)) >= PROOFS_MAX)
    throw fail('LIMIT_EXCEEDED', `A user can have at most ${PROOFS_MAX} proven wallets`);
  if (earlier) await supersede(tx, earlier);
  const proven_at = at.toISOString();
  const proof = await insertProof(tx, { user_id, reach, chain_id, wallet_address, proven_at });
  await emitProof(tx, 'proven', proof);
  await logActivity(tx, {
    action: 'WALLET_PROVEN',
    actor: caller,
    subject_user_id: user_id,
    details: { proof_id: proof.proof_id, chain_id, reach, wallet_address },
    request,
  });
  await notices.sendDue(tx, user_id);
  return proof;
}

/** The former owner's mail leaves within the minute: it is not this user's request that pays for it. */
async function supersede(tx: Db, earlier: ProvenWallet): Promise<void> {
  await deleteProof(tx, earlier);
  await emitProof(tx, 'superseded', earlier);
  const { proof_id, user_id, wallet_address } = earlier;
  await logActivity(tx, {
    action: 'WALLET_PROOF_SUPERSEDED',
    actor: null,
    subject_user_id: user_id,
    details: { proof_id, wallet_address },
  });
}

/** Takes a proven wallet from its user, in the caller's transaction. Throws NOT_FOUND. */
export async function removeProof(
  { notices }: Pick<WalletProofDeps, 'notices'>,
  tx: Db,
  {
    caller,
    request,
    proof_id,
  }: Pick<SignedChallenge, 'caller' | 'request'> & { readonly proof_id: number },
): Promise<ProvenWallet> {
  const { user_id } = caller;
  const removed = await deleteProof(tx, { proof_id, user_id });
  if (removed === undefined) throw fail('NOT_FOUND', 'Proven wallet not found');
  await emitProof(tx, 'removed', removed);
  const { wallet_address, chain_id } = removed;
  await logActivity(tx, {
    action: 'WALLET_PROOF_REMOVED',
    actor: caller,
    subject_user_id: user_id,
    details: { proof_id, chain_id, wallet_address },
    request,
  });
  await notices.sendDue(tx, user_id);
  return removed;
}
