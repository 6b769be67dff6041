import type { Address, Hash } from 'viem';
import type { ChainKey } from '#chains/evm/port.ts';
import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import type { CountedList } from '#kernel/db/counted-list.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { movesOf, type RowFilter } from '#kernel/db/move.ts';
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

/** A redemption of burnt tokens, with the bank account that is paid. Amounts in units of IDR. */
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

/** False when the burn was redeemed already. */
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

/** Undefined when there is none, or none within the caller's scope. */
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

/** The redemption of a flow, which has the reference as its id. */
export async function redeemOf(db: Db, reference_id: string): Promise<Redeem> {
  const found = await findRedeem(db, { reference_id });
  if (found === undefined) throw new Error(`There is no ${reference_id}`);
  return found;
}

/** Locked until the transaction ends. */
export async function lockRedeem(tx: Db, redeem_id: number): Promise<Redeem | undefined> {
  const locked = await run(tx, 'select from idr_redeems where redeem_id = $1 for update', [
    redeem_id,
  ]);
  return locked.length === 0 ? undefined : findRedeem(tx, { redeem_id });
}

/** The gateway has accepted the pay-out, under this id. */
export const markProcessing = (
  tx: Db,
  reference: string,
  gateway_payout_id: string,
  at: Date,
): Promise<Redeem> =>
  change(
    tx,
    { reference_id: reference, status: 'PENDING' },
    {
      status: 'PROCESSING',
      bank_transfer_status: 'PROCESSING',
      gateway_payout_id,
      updated_at: at.toISOString(),
    },
  );

export const markIdrTokenCompleted = (tx: Db, reference: string, at: Date): Promise<Redeem> =>
  change(tx, { reference_id: reference, status: 'PROCESSING' }, completedAt(at));

/** FAILED to COMPLETED: the gateway has paid late what was neither refunded nor paid before. */
export const markPaidLate = (tx: Db, reference: string, at: Date): Promise<Redeem> =>
  change(
    tx,
    { reference_id: reference, status: 'FAILED', bank_transfer_status: 'FAILED' },
    { ...completedAt(at), failure: null },
  );

const completedAt = (at: Date) =>
  ({
    status: 'COMPLETED',
    bank_transfer_status: 'COMPLETED',
    paid_out_at: at.toISOString(),
    updated_at: at.toISOString(),
  }) as const;

export const markRedeemFailed = (
  tx: Db,
  reference: string,
  failure: string,
  at: Date,
): Promise<Redeem> =>
  change(
    tx,
    { reference_id: reference, status: ['PENDING', 'PROCESSING'] },
    { ...failedBy(failure, at), bank_transfer_status: 'FAILED' },
  );

/** COMPLETED to FAILED: the bank has returned the money. */
export const markIdrTokenReturned = (
  tx: Db,
  reference: string,
  failure: string,
  at: Date,
): Promise<Redeem> =>
  change(
    tx,
    { reference_id: reference, status: 'COMPLETED' },
    {
      ...failedBy(failure, at),
      bank_transfer_status: 'RETURNED',
      returned_at: at.toISOString(),
    },
  );

const failedBy = (failure: string, at: Date) =>
  ({ status: 'FAILED', failure: failure.slice(0, 200), updated_at: at.toISOString() }) as const;

/** The wallet has the rupiah of the burnt tokens. The redemption stays FAILED. */
export const markRedeemRefunded = (tx: Db, reference: string, at: Date): Promise<Redeem> =>
  change(
    tx,
    { reference_id: reference, status: 'FAILED', bank_transfer_status: ['FAILED', 'RETURNED'] },
    { bank_transfer_status: 'REFUNDED', updated_at: at.toISOString() },
  );

type RedeemRow = Omit<Redeem, keyof BankFacts>;
const { move } = movesOf<RedeemRow>('idr_redeems');

/** Throws in another status: the step has been taken already. */
async function change(
  tx: Db,
  filter: RowFilter<RedeemRow>,
  changes: Partial<RedeemRow>,
): Promise<Redeem> {
  const { reference_id } = await move(tx, filter, changes);
  return redeemOf(tx, reference_id);
}

/** A user's, newest first. */
export const REDEEMS: CountedList = {
  name: 'idr_redeems',
  shown: `select t.*, b.bank_name, b.bank_code, b.bank_account_number, b.bank_account_name
    from idr_redeems t join idr_bank_accounts b using (token_bank_id)`,
  facets: ['status'],
  references: ['reference_id'],
};
