import type { Address, Hash } from 'viem';
import type { ChainKey } from '#chains/evm/port.ts';
import { releaseHold } from '#features/wallet-spending/wallet-spending.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { transact } from '#kernel/db/transact.ts';
import { holdsOf } from './references.ts';
import type { Status } from './states.ts';

export type Passage = 'BRIDGE' | 'CCTP';
export type BurnMode = 'backend' | 'external_wallet' | 'frontend' | 'confirm';

/** A row of the log. Amounts in USDC units. */
export interface Transfer {
  readonly log_id: string;
  readonly serial: number;
  readonly nonce: string;
  readonly user_id: number;
  readonly client_id: number;
  /** As the caller wrote it. */
  readonly amount: string;
  readonly units: bigint;
  readonly platform_fee: bigint;
  readonly token: 'USDC';
  readonly from_chain: ChainKey;
  readonly to_chain: ChainKey;
  readonly recipient_address: Address;
  readonly return_address: Address | null;
  readonly passage: Passage;
  /** `YYYY-MM-DD`. */
  readonly limit_day: string;
  readonly status: Status;
  readonly lease: string | null;
  readonly lease_until: string | null;
  readonly burn_attempt: number;
  /** The request that burnt it or gave it up. */
  readonly operation: string | null;
  readonly burn_mode: BurnMode | null;
  readonly burn_from: Address | null;
  readonly is_sponsored: boolean;
  readonly burn_tx_hash: Hash | null;
  readonly burn_proof: 'CHAIN' | 'WORD' | null;
  readonly mint_attempt: number;
  readonly mint_started_at: string | null;
  readonly mint_operation: string | null;
  readonly mint_tx_hash: Hash | null;
  readonly fee_tx_hash: Hash | null;
  /** Due from the managed wallet that burnt, which has it set aside. */
  readonly fee_status: 'NONE' | 'DUE' | 'PAID' | 'UNPAID';
  readonly created_at: string;
  readonly updated_at: string;
}

/** What a row is read by. */
export const COLUMNS = `log_id, serial, nonce, user_id, client_id, amount, units, platform_fee, token,
  from_chain, to_chain, recipient_address, return_address, passage, limit_day::text, status, lease,
  lease_until, burn_attempt, operation, burn_mode, burn_from, is_sponsored, burn_tx_hash,
  burn_proof, mint_attempt, mint_started_at, mint_operation, mint_tx_hash, fee_tx_hash, fee_status,
  created_at, updated_at`;

type NewTransfer = Pick<
  Transfer,
  | 'log_id'
  | 'nonce'
  | 'user_id'
  | 'client_id'
  | 'amount'
  | 'units'
  | 'platform_fee'
  | 'token'
  | 'from_chain'
  | 'to_chain'
  | 'recipient_address'
  | 'return_address'
  | 'passage'
  | 'limit_day'
  | 'created_at'
>;

export async function insertTransfer(db: Db, transfer: NewTransfer): Promise<Transfer> {
  const names = Object.keys(transfer);
  const values = Object.values(transfer).map((v) => (typeof v === 'bigint' ? v.toString() : v));
  const [row] = await run<Transfer>(
    db,
    `insert into crosschain_transfers (${names.join(', ')}, updated_at)
     values (${names.map((_, i) => `$${i + 1}`).join(', ')}, $${names.indexOf('created_at') + 1})
     returning ${COLUMNS}`,
    values,
  );
  if (row === undefined) throw new Error('A transfer was not written down');
  return row;
}

export interface BurnFacts {
  readonly hash: Hash;
  readonly mode: BurnMode;
  readonly proof: Transfer['burn_proof'];
  readonly from?: Address;
  readonly is_sponsored?: boolean;
  readonly fee_status?: Transfer['fee_status'];
  /** Who asks, when not the one whose burn it is. */
  readonly operation?: string;
  /** Given by whoever burnt it; others may only tell of a burn while nobody is burning. */
  readonly isOurs: boolean;
  readonly at: Date;
}

/** INITIATED to BURNED. Nothing when it is no longer INITIATED, or is being burnt by us. */
export async function markBurned(
  db: Db,
  log_id: string,
  {
    hash,
    mode,
    proof,
    from,
    is_sponsored = false,
    fee_status = 'NONE',
    operation,
    isOurs,
    at,
  }: BurnFacts,
): Promise<Transfer | undefined> {
  return change(
    db,
    `set status = 'BURNED', burn_tx_hash = $2, burn_mode = $3, burn_proof = $4, burn_from = $5,
         is_sponsored = $6, operation = coalesce($9, operation), lease = null,
         lease_until = null, updated_at = $8, fee_status = $10
     where log_id = $1 and status = 'INITIATED' and ($7::boolean or lease is null)`,
    [
      log_id,
      hash.toLowerCase(),
      mode,
      proof,
      from ?? null,
      is_sponsored,
      isOurs,
      at.toISOString(),
      operation ?? null,
      fee_status,
    ],
  );
}

/** INITIATED to FAILED, which gives the day's limit back. Within one transaction. */
export async function markFailed(
  tx: Db,
  log_id: string,
  { operation, at }: { readonly operation: string; readonly at: Date },
): Promise<Transfer | undefined> {
  const failed = await change(
    tx,
    `set status = 'FAILED', operation = $3, updated_at = $2
     where log_id = $1 and status = 'INITIATED' and lease is null`,
    [log_id, at.toISOString(), operation],
  );
  if (failed) await countDay(tx, failed, -failed.units);
  return failed;
}

/**
 * FAILED to BURNED: somebody called it failed while its burn was on its way, and the burn has been
 * seen on chain since. It counts against its day again, also beyond the limit: it has happened. Within
 * one transaction; nothing when it is no longer FAILED.
 */
export async function takeUpAgain(
  tx: Db,
  log_id: string,
  { hash, mode, from, operation, at }: Omit<BurnFacts, 'proof' | 'isOurs'>,
): Promise<Transfer | undefined> {
  const burned = await change(
    tx,
    `set status = 'BURNED', burn_tx_hash = $2, burn_mode = $3, burn_proof = 'CHAIN',
         burn_from = $4, operation = $5, updated_at = $6
     where log_id = $1 and status = 'FAILED'`,
    [log_id, hash.toLowerCase(), mode, from ?? null, operation ?? null, at.toISOString()],
  );
  if (burned) await countDay(tx, burned, burned.units);
  return burned;
}

const countDay = (tx: Db, { user_id, limit_day }: Transfer, units: bigint) =>
  run(
    tx,
    `update crosschain_days set units = units + $3::numeric where user_id = $1 and day = $2`,
    [user_id, limit_day, units.toString()],
  );

/** The burn was seen with all its confirmations. */
export const markProven = (db: Db, log_id: string): Promise<Transfer | undefined> =>
  change(db, `set burn_proof = 'CHAIN' where log_id = $1 and status = 'BURNED'`, [log_id]);

/** Before a mint is sent, so that somebody finds it after a crash. */
export const startMint = (
  db: Db,
  log_id: string,
  operation: string | undefined,
  at: Date,
): Promise<Transfer | undefined> =>
  change(
    db,
    `set mint_started_at = coalesce(mint_started_at, $3),
         mint_operation = coalesce(mint_operation, $2)
     where log_id = $1 and status = 'BURNED'`,
    [log_id, operation ?? null, at.toISOString()],
  );

/** It cannot be minted now; others that were begun are looked at before it is tried again. */
export async function postponeMint(db: Db, log_id: string, at: Date): Promise<void> {
  await change(
    db,
    `set mint_started_at = $2
     where log_id = $1 and status = 'BURNED' and mint_started_at is not null`,
    [log_id, at.toISOString()],
  );
}

/** A mint of that attempt ended on chain without an effect; the next one has another name. */
export async function countMint(db: Db, log_id: string, attempt: number): Promise<void> {
  await change(
    db,
    `set mint_attempt = mint_attempt + 1
     where log_id = $1 and status = 'BURNED' and mint_attempt = $2`,
    [log_id, attempt],
  );
}

/** BURNED to MINTED by that request, or else by the one that began it. Nothing when it is MINTED. */
export const markMinted = (
  db: Db,
  log_id: string,
  { hash, operation, at }: { hash: Hash; operation: string | undefined; at: Date },
): Promise<Transfer | undefined> =>
  change(
    db,
    `set status = 'MINTED', mint_tx_hash = $2, updated_at = $3,
         mint_operation = coalesce($4, mint_operation)
     where log_id = $1 and status = 'BURNED' and burn_proof is not null`,
    [log_id, hash, at.toISOString(), operation ?? null],
  );

/** A fee was paid by that transaction, or without one it will not be. */
export const settleFee = (db: Db, transfer: Transfer, hash: Hash | undefined): Promise<void> =>
  transact(db, async (tx) => {
    await change(
      tx,
      `set fee_tx_hash = $2, fee_status = case when $2::text is null then 'UNPAID' else 'PAID' end
       where log_id = $1 and fee_status in ('DUE', 'UNPAID')`,
      [transfer.log_id, hash ?? null],
    );
    await releaseHold(tx, holdsOf(transfer));
  });

export async function markReconciled(db: Db, log_id: string, at: Date): Promise<void> {
  await change(db, 'set reconciled_at = $2 where log_id = $1', [log_id, at.toISOString()]);
}

/** The row that such an update changed, or nothing. */
export async function change(
  db: Db,
  text: string,
  values: readonly unknown[],
): Promise<Transfer | undefined> {
  const [row] = await run<Transfer>(
    db,
    `update crosschain_transfers ${text} returning ${COLUMNS}`,
    values,
  );
  return row;
}
