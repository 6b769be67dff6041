import type { Address, Hash } from 'viem';
import type { ChainKey } from '#chains/evm/port.ts';
import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { KeptList } from '#kernel/db/kept-list.ts';
import type { Row } from '#kernel/db/row.ts';

/** Contract part 3, States: off-ramp. */
export const REDEEM_STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const;
export type RedeemStatus = (typeof REDEEM_STATUSES)[number];

interface Narrowed {
  readonly chain_id: ChainKey;
  readonly wallet_address: Address;
  readonly burn_tx_hash: Hash;
  readonly status: RedeemStatus;
}

type BankFacts = Row<
  'idr_bank_accounts',
  'bank_name' | 'bank_code' | 'bank_account_number' | 'bank_account_name'
>;

/** Burnt tokens whose money goes to a bank account, with that account. Amounts in units of IDR. */
export type Redeem = Omit<Row<'idr_redeems'>, keyof Narrowed> & Narrowed & BankFacts;

export type NewRedeem = Pick<
  Redeem,
  | 'reference_id'
  | 'operation'
  | 'user_id'
  | 'client_id'
  | 'token_bank_id'
  | 'amount_idr'
  | 'fee_amount'
  | 'chain_id'
  | 'wallet_address'
  | 'burn_tx_hash'
  | 'created_at'
>;

/** Nothing when the burn has paid for another one already. */
export async function insertRedeem(tx: Db, redeem: NewRedeem): Promise<boolean> {
  const row = await tx
    .insertInto('idr_redeems')
    .values({
      ...redeem,
      amount_token: redeem.amount_idr,
      net_amount_idr: redeem.amount_idr - redeem.fee_amount,
      updated_at: redeem.created_at,
    })
    .onConflict((conflict) => conflict.constraint('idr_redeems_burn_once').doNothing())
    .returning('redeem_id')
    .executeTakeFirst();
  return row !== undefined;
}

const redeems = (db: Db) =>
  db
    .selectFrom('idr_redeems as t')
    .innerJoin('idr_bank_accounts as b', 'b.token_bank_id', 't.token_bank_id')
    .selectAll('t')
    .select(['b.bank_name', 'b.bank_code', 'b.bank_account_number', 'b.bank_account_name']);

/** Nothing when there is none, or none within the caller's scope. */
export async function findRedeem(
  db: Db,
  {
    reference_id,
    redeem_id,
    operation,
  }: Partial<Pick<Redeem, 'reference_id' | 'redeem_id' | 'operation'>>,
  scope: TenantScope = {},
): Promise<Redeem | undefined> {
  const row = await redeems(db)
    .$if(reference_id !== undefined, (q) => q.where('t.reference_id', '=', reference_id ?? ''))
    .$if(redeem_id !== undefined, (q) => q.where('t.redeem_id', '=', redeem_id ?? 0))
    .$if(operation !== undefined, (q) => q.where('t.operation', '=', operation ?? ''))
    .where(({ ref }) => inTenantScope(scope, ref('t.user_id'), ref('t.client_id')))
    .executeTakeFirst();
  return row as object as Redeem | undefined;
}

/** Of a flow, which has the reference as its name; there always is one. */
export async function redeemOf(db: Db, reference_id: string): Promise<Redeem> {
  const found = await findRedeem(db, { reference_id });
  if (found === undefined) throw new Error(`There is no ${reference_id}`);
  return found;
}

/** Held until the transaction ends. */
export async function lockRedeem(tx: Db, redeem_id: number): Promise<Redeem | undefined> {
  const locked = await run(tx, 'select from idr_redeems where redeem_id = $1 for update', [
    redeem_id,
  ]);
  return locked.length === 0 ? undefined : findRedeem(tx, { redeem_id });
}

/** The gateway knows the pay-out now, by this name. */
export const markProcessing = (tx: Db, reference: string, id: string, at: Date): Promise<Redeem> =>
  change(
    tx,
    reference,
    `set status = 'PROCESSING', bank_transfer_status = 'PROCESSING', gateway_payout_id = $3,
       updated_at = $2
     where reference_id = $1 and status = 'PENDING'`,
    [at.toISOString(), id],
  );

export const markIdrTokenCompleted = (tx: Db, reference: string, at: Date): Promise<Redeem> =>
  change(
    tx,
    reference,
    `set status = 'COMPLETED', bank_transfer_status = 'COMPLETED', paid_out_at = $2,
       updated_at = $2
     where reference_id = $1 and status = 'PROCESSING'`,
    [at.toISOString()],
  );

/** FAILED to COMPLETED: the gateway has paid out after all what was neither given back nor paid out before. */
export const markPaidLate = (tx: Db, reference: string, at: Date): Promise<Redeem> =>
  change(
    tx,
    reference,
    `set status = 'COMPLETED', bank_transfer_status = 'COMPLETED', failure = null, paid_out_at = $2,
       updated_at = $2
     where reference_id = $1 and status = 'FAILED' and bank_transfer_status = 'FAILED'`,
    [at.toISOString()],
  );

export const markRedeemFailed = (
  tx: Db,
  reference: string,
  failure: string,
  at: Date,
): Promise<Redeem> =>
  change(
    tx,
    reference,
    `${FAILED}, bank_transfer_status = 'FAILED'
     where reference_id = $1 and status in ('PENDING', 'PROCESSING')`,
    failedBy(failure, at),
  );

/** COMPLETED to FAILED: the bank has sent the money back. */
export const markIdrTokenReturned = (
  tx: Db,
  reference: string,
  failure: string,
  at: Date,
): Promise<Redeem> =>
  change(
    tx,
    reference,
    `${FAILED}, bank_transfer_status = 'RETURNED', returned_at = $2
     where reference_id = $1 and status = 'COMPLETED'`,
    failedBy(failure, at),
  );

const FAILED = `set status = 'FAILED', failure = $3, updated_at = $2`;
const failedBy = (failure: string, at: Date) => [at.toISOString(), failure.slice(0, 200)];

/** What was burnt is given back as rupiah in the wallet. It stays FAILED. */
export const markRedeemRefunded = (tx: Db, reference: string, at: Date): Promise<Redeem> =>
  change(
    tx,
    reference,
    `set bank_transfer_status = 'REFUNDED', updated_at = $2
     where reference_id = $1 and status = 'FAILED' and bank_transfer_status <> 'REFUNDED'`,
    [at.toISOString()],
  );

/** Throws where it was in another status: the step has been taken already. */
async function change(
  tx: Db,
  reference: string,
  text: string,
  values: readonly unknown[],
): Promise<Redeem> {
  const rows = await run(tx, `update idr_redeems ${text} returning redeem_id`, [
    reference,
    ...values,
  ]);
  if (rows.length === 0) throw new Error(`${reference} is in another status`);
  return redeemOf(tx, reference);
}

/** A user's, newest first. */
export const REDEEMS: KeptList = {
  name: 'idr_redeems',
  shown: `select t.*, b.bank_name, b.bank_code, b.bank_account_number, b.bank_account_name
    from idr_redeems t join idr_bank_accounts b using (token_bank_id)`,
  facets: ['status'],
  references: ['reference_id'],
};
