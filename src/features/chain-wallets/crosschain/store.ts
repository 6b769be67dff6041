import type { Insertable, Selectable } from 'kysely';
import type { Address, Hash } from 'viem';
import type { ChainKey } from '#chains/evm/port.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { CrosschainTransfers } from '#kernel/db/schema.generated.ts';
import { giveBackLimits, retakeLimits } from '#kernel/policies/give-back.ts';
import type { CrosschainStatus } from './states.ts';

export type BurnMode = 'backend' | 'external_wallet' | 'frontend' | 'confirm';

/** What the columns' constraints allow, closer than their types say. Amounts in USDC units. */
interface Narrowed {
  readonly token: 'USDC';
  readonly from_chain: ChainKey;
  readonly to_chain: ChainKey;
  readonly recipient_address: Address;
  readonly return_address: Address | null;
  readonly bridge_route: 'BRIDGE' | 'CCTP';
  readonly bridge_transfer: string | null;
  readonly status: CrosschainStatus;
  readonly burn_mode: BurnMode | null;
  readonly burn_from: Address | null;
  readonly burn_tx_hash: Hash | null;
  readonly burn_proof: 'CHAIN' | 'WORD' | null;
  readonly mint_tx_hash: Hash | null;
  readonly fee_tx_hash: Hash | null;
  readonly fee_status: 'NONE' | 'DUE' | 'PAID' | 'UNPAID';
}

/** A row of the log. The day is of the version before, which counted by it. */
export type CrosschainTransfer = Readonly<
  Omit<Selectable<CrosschainTransfers>, keyof Narrowed | 'limit_day'>
> &
  Narrowed;

type Burn = Pick<CrosschainTransfer, 'nonce' | 'burn_attempt'>;

/** A name in the journal of the chain: there is one transaction of that name, ever. */
export const burnReference = ({ nonce, burn_attempt }: Burn, step = ''): string =>
  `burn:${nonce}${burn_attempt > 1 ? `:${burn_attempt}` : ''}${step}`;

/** The same of the platform's fee. */
export const feeReference = ({ nonce }: Pick<CrosschainTransfer, 'nonce'>): string =>
  `burn-fee:${nonce}`;

/** The names under which a burn and its fee are set aside. */
export const holdsOf = (transfer: Burn): string[] => [
  burnReference(transfer),
  feeReference(transfer),
];

/** The same of a mint, for every caller and repetition. */
export const mintReference = (nonce: string, attempt: number): string =>
  `mint:${nonce}${attempt > 1 ? `:${attempt}` : ''}`;

/** The names of their effects. */
export const burnId = ({ log_id, burn_attempt }: CrosschainTransfer): string =>
  `${log_id}:${burn_attempt}`;
export const mintId = ({ log_id, mint_attempt }: CrosschainTransfer): string =>
  `${log_id}:${mint_attempt}`;

type NewTransfer = Insertable<CrosschainTransfers> &
  Pick<CrosschainTransfer, 'token' | 'from_chain' | 'to_chain' | 'bridge_route'>;

export async function insertTransfer(
  tx: Db,
  transfer: Omit<NewTransfer, 'updated_at'>,
): Promise<CrosschainTransfer> {
  const row = await tx
    .insertInto('crosschain_transfers')
    .values({ ...transfer, updated_at: transfer.created_at })
    .returningAll()
    .executeTakeFirstOrThrow();
  return row as object as CrosschainTransfer;
}

/** The transfer as it is, with the attempt to burn or to mint it that an effect is named after. */
export async function findAttempt(
  db: Db,
  column: 'burn_attempt' | 'mint_attempt',
  id: string,
): Promise<CrosschainTransfer | undefined> {
  const [log_id, attempt] = id.split(':');
  const [row] = await run<CrosschainTransfer>(
    db,
    `select * from crosschain_transfers where log_id = $1 and ${column} >= $2`,
    [log_id, attempt],
  );
  return row && { ...row, [column]: Number(attempt) };
}

/** The transfer, which no process changes, burns or mints before the transaction ends. */
export async function lockTransfer(
  tx: Db,
  log_id: string,
): Promise<CrosschainTransfer | undefined> {
  const [row] = await run<CrosschainTransfer>(
    tx,
    'select * from crosschain_transfers where log_id = $1 for no key update',
    [log_id],
  );
  return row;
}

/** Who is about to burn it. Under its lock; a repetition of the request goes on where it was. */
export const recordBurner = (
  tx: Db,
  log_id: string,
  { operation, mode }: { readonly operation: string; readonly mode: BurnMode },
): Promise<CrosschainTransfer | undefined> =>
  change(tx, `set operation = $2, burn_mode = $3 where log_id = $1 and status = 'INITIATED'`, [
    log_id,
    operation,
    mode,
  ]);

export interface BurnFacts {
  readonly hash: Hash;
  readonly mode: BurnMode;
  readonly proof: CrosschainTransfer['burn_proof'];
  readonly from?: Address;
  readonly is_sponsored?: boolean;
  readonly fee_status?: CrosschainTransfer['fee_status'];
  /** Who asks, when not the one who began it. */
  readonly operation?: string;
  readonly at: Date;
}

/** INITIATED to BURNED. Nothing when it is no longer INITIATED. */
export const markBurned = (
  tx: Db,
  log_id: string,
  facts: BurnFacts,
): Promise<CrosschainTransfer | undefined> =>
  change(
    tx,
    `set status = 'BURNED', burn_tx_hash = $2, burn_mode = $3, burn_proof = $4, burn_from = $5,
         is_sponsored = $6, operation = coalesce($8, operation), fee_status = $9,
         checked_at = null, updated_at = $7
     where log_id = $1 and status = 'INITIATED'`,
    [
      log_id,
      facts.hash.toLowerCase(),
      facts.mode,
      facts.proof,
      facts.from ?? null,
      facts.is_sponsored ?? false,
      facts.at.toISOString(),
      facts.operation ?? null,
      facts.fee_status ?? 'NONE',
    ],
  );

/** The next burn has another name: the last one has finally ended on chain without an effect. */
export const countBurn = (
  tx: Db,
  { log_id, burn_attempt }: CrosschainTransfer,
): Promise<CrosschainTransfer | undefined> =>
  change(
    tx,
    `set burn_attempt = burn_attempt + 1
     where log_id = $1 and burn_attempt = $2 and status = 'INITIATED'`,
    [log_id, burn_attempt],
  );

/** INITIATED to FAILED, which gives the day's limit back. */
export async function markFailed(
  tx: Db,
  log_id: string,
  { operation, at }: { readonly operation: string; readonly at: Date },
): Promise<CrosschainTransfer | undefined> {
  const failed = await change(
    tx,
    `set status = 'FAILED', operation = $3, updated_at = $2
     where log_id = $1 and status = 'INITIATED'`,
    [log_id, at.toISOString(), operation],
  );
  if (failed) await giveBackLimits(tx, { kind: 'bridge', operation: log_id });
  return failed;
}

/**
 * FAILED to BURNED: somebody called it failed while its burn was on its way, and the burn has been
 * seen on chain since. It counts against its day again, also beyond the limit: it has happened.
 * Nothing when it is no longer FAILED.
 */
export async function reopen(
  tx: Db,
  log_id: string,
  { hash, mode, from, operation, at }: Omit<BurnFacts, 'proof'>,
): Promise<CrosschainTransfer | undefined> {
  const burned = await change(
    tx,
    `set status = 'BURNED', burn_tx_hash = $2, burn_mode = $3, burn_proof = 'CHAIN',
         burn_from = $4, operation = $5, checked_at = null, updated_at = $6
     where log_id = $1 and status = 'FAILED'`,
    [log_id, hash.toLowerCase(), mode, from ?? null, operation ?? null, at.toISOString()],
  );
  if (burned) await retakeLimits(tx, { kind: 'bridge', operation: log_id });
  return burned;
}

/** The burn was seen with all its confirmations. */
export const markProven = (db: Db, log_id: string): Promise<CrosschainTransfer | undefined> =>
  change(db, `set burn_proof = 'CHAIN' where log_id = $1 and status = 'BURNED'`, [log_id]);

/** From then on a mint may be on its way, and the burn is not undone. */
export const startMint = (
  tx: Db,
  log_id: string,
  { operation, at }: { readonly operation: string; readonly at: Date },
): Promise<CrosschainTransfer | undefined> =>
  change(
    tx,
    `set mint_started_at = coalesce(mint_started_at, $3),
         mint_operation = coalesce(mint_operation, $2)
     where log_id = $1 and status = 'BURNED'`,
    [log_id, operation, at.toISOString()],
  );

/** A mint of that attempt has finally ended on chain without an effect; the next has another name. */
export const countMint = (
  tx: Db,
  { log_id, mint_attempt }: CrosschainTransfer,
): Promise<CrosschainTransfer | undefined> =>
  change(
    tx,
    `set mint_attempt = mint_attempt + 1
     where log_id = $1 and status = 'BURNED' and mint_attempt = $2`,
    [log_id, mint_attempt],
  );

/** BURNED to MINTED for that request, or else for the one that began it. Nothing when it is MINTED. */
export const markMinted = (
  tx: Db,
  log_id: string,
  { hash, operation, at }: { hash: Hash; operation: string | undefined; at: Date },
): Promise<CrosschainTransfer | undefined> =>
  change(
    tx,
    `set status = 'MINTED', mint_tx_hash = $2, checked_at = null, updated_at = $3,
         mint_operation = coalesce($4, mint_operation)
     where log_id = $1 and status = 'BURNED' and burn_proof is not null`,
    [log_id, hash, at.toISOString(), operation ?? null],
  );

/** The row that such an update changed, or nothing. */
export async function change(
  db: Db,
  text: string,
  values: readonly unknown[],
): Promise<CrosschainTransfer | undefined> {
  const [row] = await run<CrosschainTransfer>(
    db,
    `update crosschain_transfers ${text} returning *`,
    values,
  );
  return row;
}
