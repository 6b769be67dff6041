import { CHAIN_KEYS } from '#chains/evm/port.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { deleteInBatches } from '#kernel/db/in-batches.ts';
import type { Row } from '#kernel/db/row.ts';

/** Chains on which people have addresses. */
export const PROOF_CHAINS = [...CHAIN_KEYS, 'cardano', 'xrpl'] as const;
export type ProofChain = (typeof PROOF_CHAINS)[number];

export type WalletChallenge = Omit<Row<'wallet_challenges'>, 'chain_id'> & {
  readonly chain_id: ProofChain;
};
/** `reach` is `evm` where a key has signed for all EVM chains, else the chain. */
export type ProvenWallet = Row<'proven_wallets'>;

export const insertWalletChallenge = (tx: Db, challenge: WalletChallenge) =>
  tx.insertInto('wallet_challenges').values(challenge).execute();

/** Uses the challenge up; nothing where the user has none of that id that is still valid. */
export async function takeChallenge(
  db: Db,
  {
    challenge_id,
    user_id,
    client_id,
  }: Pick<WalletChallenge, 'challenge_id' | 'user_id' | 'client_id'>,
  now: Date,
): Promise<WalletChallenge | undefined> {
  const [taken] = await run<WalletChallenge>(
    db,
    `delete from wallet_challenges
      where challenge_id = $1 and user_id = $2 and client_id = $3 and expires_at > $4 returning *`,
    [challenge_id, user_id, client_id, now.toISOString()],
  );
  return taken;
}

export const forgetLapsedWalletChallenges = (db: Db, at: string): Promise<void> =>
  deleteInBatches(db, 'wallet_challenges', 'expires_at <= $1', [at]);

/** Until the transaction ends no other user proves that address. Take it after the user's row. */
export const lockProofsOf = (tx: Db, wallet_address: string) =>
  run(tx, `select pg_advisory_xact_lock(hashtextextended('proven wallet ' || $1, 0))`, [
    wallet_address,
  ]);

/** Proven wallets of one user. */
export const PROOFS_MAX = 20;

export async function countProofs(tx: Db, user_id: number): Promise<number> {
  const rows = await tx
    .selectFrom('proven_wallets')
    .select('proof_id')
    .where('user_id', '=', user_id)
    .limit(PROOFS_MAX)
    .execute();
  return rows.length;
}

type Place = Pick<ProvenWallet, 'wallet_address' | 'reach'>;

/** The proof of the address by whichever user; the address must be locked. */
export const proofOf = (db: Db, { wallet_address, reach }: Place) =>
  db
    .selectFrom('proven_wallets')
    .selectAll()
    .where('wallet_address', '=', wallet_address)
    .where('reach', '=', reach)
    .executeTakeFirst();

export const insertProof = (tx: Db, proof: Omit<ProvenWallet, 'proof_id'>): Promise<ProvenWallet> =>
  tx.insertInto('proven_wallets').values(proof).returningAll().executeTakeFirstOrThrow();

export async function renewProof(tx: Db, proof_id: number, at: Date): Promise<ProvenWallet> {
  return tx
    .updateTable('proven_wallets')
    .set({ proven_at: at.toISOString() })
    .where('proof_id', '=', proof_id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Nothing where the user has no such proof. */
export const deleteProof = (
  tx: Db,
  { proof_id, user_id }: Pick<ProvenWallet, 'proof_id' | 'user_id'>,
): Promise<ProvenWallet | undefined> =>
  tx
    .deleteFrom('proven_wallets')
    .where('proof_id', '=', proof_id)
    .where('user_id', '=', user_id)
    .returningAll()
    .executeTakeFirst();

/** Newest first; a user has few. */
export const listProofs = (db: Db, user_id: number): Promise<ProvenWallet[]> =>
  db
    .selectFrom('proven_wallets')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('proof_id', 'desc')
    .limit(PROOFS_MAX)
    .execute();

/** The proofs of those addresses, whichever chains they hold on. */
export const proofsOf = (
  db: Db,
  addresses: readonly string[],
): Promise<Pick<ProvenWallet, 'wallet_address' | 'user_id' | 'reach'>[]> =>
  run(
    db,
    'select wallet_address, user_id, reach from proven_wallets where wallet_address = any($1::text[])',
    [addresses],
  );
