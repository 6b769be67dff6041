import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { firstStatusTimes, stateMovesOf } from '#kernel/db/state-moves.ts';
import type { HeldObject } from '#kernel/ledger/holds.ts';
import { NAMELESS, namesOf, type ObjectNames } from '#kernel/object-names/object-names.ts';
import { transferHold } from './postings.ts';

export const WALLET_TRANSFER_STATUSES = [
  'PENDING_APPROVAL',
  'PENDING',
  'COMPLETED',
  'CANCELLED',
  'EXPIRED',
  'FAILED',
] as const;
export type WalletTransferStatus = (typeof WALLET_TRANSFER_STATUSES)[number];
/** While its money is held. */
export const OPEN_STATUSES = ['PENDING_APPROVAL', 'PENDING'] as const;

export type TransferRow = Omit<
  Row<'wallet_transfers'>,
  'status' | 'currency' | 'received_currency' | 'claim_channel'
> & {
  readonly status: WalletTransferStatus;
  readonly currency: Fiat;
  /** What arrives by a quote; null where it is what was paid. */
  readonly received_currency: Fiat | null;
  readonly claim_channel: 'email' | 'phone' | null;
};
type PartRow = Row<'wallet_transfer_parts'>;
export type TransferPart = PartRow & { readonly to_name: string | null };

/** A transfer with its parts and what its caller calls it. */
export type WalletTransfer = TransferRow & {
  readonly from_name: string;
  readonly parts: readonly TransferPart[];
  readonly names: ObjectNames;
};

export type NewTransfer = Pick<
  TransferRow,
  | ('transfer_id' | 'object_id' | 'operation' | 'client_id' | 'user_id' | 'from_wallet_id')
  | ('account_id' | 'currency' | 'amount' | 'fee' | 'fee_terms' | 'is_split' | 'note')
  | ('claim_channel' | 'claim_address' | 'claim_s' | 'held_until' | 'status')
  | ('quote_id' | 'received_currency' | 'received_amount')
>;
export type NewPart = Pick<
  PartRow,
  'position' | 'named_as' | 'to_user_id' | 'to_wallet_id' | 'amount' | 'fee' | 'note'
>;

const NEW = [
  ...['transfer_id', 'object_id', 'operation', 'client_id', 'user_id', 'from_wallet_id'],
  ...['account_id', 'currency', 'amount', 'fee', 'fee_terms', 'is_split', 'note'],
  ...['claim_channel', 'claim_address', 'claim_s', 'held_until', 'status'],
  ...['quote_id', 'received_currency', 'received_amount'],
].join();
const NEW_PART = 'position, named_as, to_user_id, to_wallet_id, amount, fee, note';

/** Undefined where the same request has made it before. */
export async function insertWalletTransfer(
  tx: Db,
  transfer: NewTransfer,
  parts: readonly NewPart[],
): Promise<TransferRow | undefined> {
  const [row] = await run<TransferRow>(
    tx,
    `insert into wallet_transfers (${NEW}, status_times)
     select ${NEW}, ${firstStatusTimes(transfer.status)} from json_populate_record(null::wallet_transfers, $1::json)
     on conflict (operation) do nothing returning *`,
    [jsonOf(transfer)],
  );
  if (!row) return undefined;
  await run(
    tx,
    `insert into wallet_transfer_parts (transfer_id, serial, object_id, sender_id, arrived, ${NEW_PART})
     select $1::uuid, $2::bigint, $3::text || ':' || position, $4::integer, $5::boolean, ${NEW_PART}
       from json_populate_recordset(null::wallet_transfer_parts, $6::json)`,
    [
      ...[row.transfer_id, row.serial, row.object_id, row.user_id, row.status === 'COMPLETED'],
      jsonOf(parts),
    ],
  );
  return row;
}

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one));

const moves = stateMovesOf<TransferRow>('wallet_transfers');

/** Moves one that is in the status `from`; undefined where it is not any more. */
export const moveTransfer = (
  tx: Db,
  { transfer_id, status }: Pick<TransferRow, 'transfer_id' | 'status'>,
  to: WalletTransferStatus,
  changes: Parameters<typeof moves.tryMove>[3] = {},
): Promise<TransferRow | undefined> => moves.tryMove(tx, { transfer_id, status }, to, changes);

/** Says to whom a part has gone. */
export async function setReceiver(
  tx: Db,
  { transfer_id, position }: Pick<PartRow, 'transfer_id' | 'position'>,
  to: { readonly user_id: number; readonly wallet_id: number },
): Promise<void> {
  await run(
    tx,
    `update wallet_transfer_parts set to_user_id = $3, to_wallet_id = $4, arrived = true
      where transfer_id = $1 and position = $2`,
    [transfer_id, position, to.user_id, to.wallet_id],
  );
}

/** Of one transfer. */
const PARTS_MAX = 20;

/** Rows with their parts and names. */
export async function withParts(db: Db, rows: readonly TransferRow[]): Promise<WalletTransfer[]> {
  if (rows.length === 0) return [];
  const parts = await run<TransferPart>(
    db,
    `select p.*, u.username as to_name from wallet_transfer_parts p left join users u on u.user_id = p.to_user_id
      where p.transfer_id = any($1::uuid[]) order by p.transfer_id, p.position limit $2`,
    [rows.map(({ transfer_id }) => transfer_id), rows.length * PARTS_MAX],
  );
  const senders = await run<Row<'users', 'user_id' | 'username'>>(
    db,
    'select user_id, username from users where user_id = any($1::integer[])',
    [rows.map(({ user_id }) => user_id)],
  );
  const ids = rows.map(({ object_id }) => object_id);
  const names = await namesOf(db, 'wallet_transfer', ids, 'operator');
  return rows.map((row) => ({
    ...row,
    from_name: senders.find(({ user_id }) => user_id === row.user_id)?.username ?? '',
    parts: parts.filter(({ transfer_id }) => transfer_id === row.transfer_id),
    names: names.get(row.object_id) ?? NAMELESS,
  }));
}

const one = async (db: Db, text: string, values: readonly unknown[]) =>
  (await withParts(db, await run<TransferRow>(db, text, values)))[0];

/** Whom a reader's transfers belong to: a user sees both sides of their own, an admin those of the client. */
export interface TransferReach {
  readonly client_id?: number;
  readonly user_id?: number;
}

/** Of either side; a receiver sees it once it is theirs. */
export function findWalletTransfer(
  db: Db,
  { client_id, user_id }: TransferReach,
  transfer_id: string,
): Promise<WalletTransfer | undefined> {
  return one(
    db,
    `select t.* from wallet_transfers t where t.transfer_id = $1
       and ($2::integer is null or t.client_id = $2)
       and ($3::integer is null or t.user_id = $3 or t.status = 'COMPLETED' and $3 = any(array(
         select p.to_user_id from wallet_transfer_parts p where p.transfer_id = t.transfer_id limit ${PARTS_MAX})))`,
    [transfer_id, client_id ?? null, user_id ?? null],
  );
}

export const transferOfOperation = (
  db: Db,
  operation: string,
): Promise<WalletTransfer | undefined> =>
  one(db, 'select * from wallet_transfers where operation = $1', [operation]);

/** Locks it until the transaction ends: acts on it wait for one another. */
export async function lockWalletTransfer(
  tx: Db,
  transfer_id: string,
): Promise<WalletTransfer | undefined> {
  const text = 'select * from wallet_transfers where transfer_id = $1 for no key update';
  return one(tx, text, [transfer_id]);
}

/** Locks those that are claimed no more, up to the limit. */
export async function unclaimedTransfers(tx: Db, limit: number): Promise<WalletTransfer[]> {
  const rows = await run<TransferRow>(
    tx,
    `select * from wallet_transfers
      where status = 'PENDING' and claim_expires_at is not null and claim_expires_at <= service_now()
      order by claim_expires_at limit $1 for no key update skip locked`,
    [limit],
  );
  return withParts(tx, rows);
}

/** Transfers that policies hold no longer. */
export async function releasedTransfers(db: Db, limit: number): Promise<string[]> {
  const rows = await run<Pick<TransferRow, 'transfer_id'>>(
    db,
    `select transfer_id from wallet_transfers
      where status = 'PENDING' and held_until is not null and held_until <= service_now()
      order by held_until limit $1`,
    [limit],
  );
  return rows.map(({ transfer_id }) => transfer_id);
}

/** Whether the user has sent money to that address before. */
export async function isKnownAddress(db: Db, user_id: number, address: string): Promise<boolean> {
  const text = 'select from wallet_transfers where user_id = $1 and claim_address = $2 limit 1';
  return (await run(db, text, [user_id, address])).length > 0;
}

/** Whether money of the user has arrived at that person before. */
export async function hasPaid(db: Db, user_id: number, to_user_id: number): Promise<boolean> {
  const text =
    'select from wallet_transfer_parts where sender_id = $1 and to_user_id = $2 and arrived limit 1';
  return (await run(db, text, [user_id, to_user_id])).length > 0;
}

/** Transfers hold their money until they arrive or end. */
export function findTransferHolders(db: Db, holds: readonly string[]): Promise<HeldObject[]> {
  return run(
    db,
    `select '${transferHold('')}' || t.object_id as hold, t.account_id, t.object_id as reference,
       t.status = any($2::text[]) as is_open, t.claim_expires_at as until, t.held_until as next_attempt_at
     from wallet_transfers t where t.object_id = any($1::text[])`,
    [holds.map((hold) => hold.slice(transferHold('').length)), [...OPEN_STATUSES]],
  );
}

/** What a page names to the holder of its link. */
export async function transferOfClaim(db: Db, digest: Buffer): Promise<TransferRow | undefined> {
  const text = 'select * from wallet_transfers where claim_digest = $1';
  return (await run<TransferRow>(db, text, [digest]))[0];
}
