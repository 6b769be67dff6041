import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

/** A bank account of a user. */
export type Bank = Row<'idr_bank_accounts'>;

export type NewBank = Pick<
  Bank,
  'user_id' | 'bank_name' | 'bank_code' | 'bank_account_number' | 'bank_account_name' | 'is_primary'
>;

/** Locks until the transaction ends: changes of a user's accounts take turns. */
export async function lockBankAccountOwner(tx: Db, user_id: number): Promise<string> {
  const [row] = await run<Row<'users', 'username'>>(
    tx,
    'select username from users where user_id = $1 for no key update',
    [user_id],
  );
  if (row === undefined) throw new Error(`There is no user ${user_id}`);
  return row.username;
}

/** The primary one first, then in the order in which they were added. */
export const activeBanks = (db: Db, user_id: number): Promise<Bank[]> =>
  run(
    db,
    `select * from idr_bank_accounts where user_id = $1 and status = 'ACTIVE'
     order by is_primary desc, token_bank_id`,
    [user_id],
  );

/** Undefined when the user has no such active account. */
export async function findActiveBank(
  db: Db,
  user_id: number,
  token_bank_id: number,
): Promise<Bank | undefined> {
  const [row] = await run<Bank>(
    db,
    `select * from idr_bank_accounts
     where token_bank_id = $1 and user_id = $2 and status = 'ACTIVE'`,
    [token_bank_id, user_id],
  );
  return row;
}

/** The same, locked as active until the transaction ends. */
export async function lockActiveBank(
  tx: Db,
  user_id: number,
  token_bank_id: number,
): Promise<boolean> {
  const rows = await run(
    tx,
    `select from idr_bank_accounts
     where token_bank_id = $1 and user_id = $2 and status = 'ACTIVE' for share`,
    [token_bank_id, user_id],
  );
  return rows.length === 1;
}

/** Under the owner's lock. A new primary account replaces the former one. */
export async function insertBank(tx: Db, bank: NewBank): Promise<Bank> {
  if (bank.is_primary)
    await run(
      tx,
      'update idr_bank_accounts set is_primary = false where user_id = $1 and is_primary',
      [bank.user_id],
    );
  return tx.insertInto('idr_bank_accounts').values(bank).returningAll().executeTakeFirstOrThrow();
}

/** Whether a transfer to it is open. */
export async function hasOpenRedeems(db: Db, token_bank_id: number): Promise<boolean> {
  const rows = await run(
    db,
    `select from idr_redeems
     where token_bank_id = $1 and status in ('PENDING', 'PROCESSING') limit 1`,
    [token_bank_id],
  );
  return rows.length === 1;
}

/** Under the owner's lock and the account's. */
export const deactivateBank = (tx: Db, token_bank_id: number): Promise<unknown> =>
  run(tx, `update idr_bank_accounts set status = 'INACTIVE' where token_bank_id = $1`, [
    token_bank_id,
  ]);

/** Locked until the transaction ends, so that no transfer to it begins meanwhile. */
export const lockBank = (tx: Db, token_bank_id: number): Promise<unknown> =>
  run(tx, 'select from idr_bank_accounts where token_bank_id = $1 for update', [token_bank_id]);
