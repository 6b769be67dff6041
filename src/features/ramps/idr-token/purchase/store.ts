import type { Address, Hash } from 'viem';
import type { ChainKey } from '#chains/evm/port.ts';
import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import type { CountedList } from '#kernel/db/counted-list.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { movesOf } from '#kernel/db/move.ts';
import type { Row } from '#kernel/db/row.ts';
import type { PaymentMethod } from '#providers/gateway/port.ts';

/** Contract part 3, States: on-ramp; CANCELLED was not paid in time. */
export const MINT_STATUSES = [
  'PENDING',
  'PAID',
  'MINTED',
  'SUCCESS',
  'FAILED',
  'CANCELLED',
] as const;
export type MintStatus = (typeof MINT_STATUSES)[number];

/** The values that the columns' constraints allow. */
interface Narrowed {
  readonly payment_method: PaymentMethod;
  readonly chain_id: ChainKey;
  readonly wallet_address: Address;
  readonly status: MintStatus;
  readonly mint_tx_hash: Hash | null;
}

/** A purchase of tokens. Amounts in units of IDR. */
export type Mint = Omit<Row<'idr_mints'>, keyof Narrowed> & Narrowed;

const { move } = movesOf<Mint>('idr_mints');

export type NewMint = Pick<
  Mint,
  | 'reference_id'
  | 'operation'
  | 'user_id'
  | 'client_id'
  | 'amount_idr'
  | 'fee_amount'
  | 'payment_method'
  | 'chain_id'
  | 'wallet_address'
  | 'expired_at'
  | 'created_at'
>;

export async function insertMint(tx: Db, mint: NewMint): Promise<Mint> {
  const row = await tx
    .insertInto('idr_mints')
    .values({
      ...mint,
      amount_token: mint.amount_idr,
      total_amount_idr: mint.amount_idr + mint.fee_amount,
      updated_at: mint.created_at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return row as object as Mint;
}

/** Undefined when there is none, or none within the caller's scope. */
export async function findMint(
  db: Db,
  {
    reference_id,
    mint_id,
    operation,
  }: Partial<Pick<Mint, 'reference_id' | 'mint_id' | 'operation'>>,
  scope: TenantScope = {},
): Promise<Mint | undefined> {
  const row = await db
    .selectFrom('idr_mints as t')
    .selectAll()
    .$if(reference_id !== undefined, (q) => q.where('t.reference_id', '=', reference_id ?? ''))
    .$if(mint_id !== undefined, (q) => q.where('t.mint_id', '=', mint_id ?? 0))
    .$if(operation !== undefined, (q) => q.where('t.operation', '=', operation ?? ''))
    .where(({ ref }) => inTenantScope(scope, ref('t.user_id'), ref('t.client_id')))
    .executeTakeFirst();
  return row as object as Mint | undefined;
}

/** By our reference, or by the gateway's id of the payment. */
export async function findPaymentOf(db: Db, name: string): Promise<Mint | undefined> {
  const text = `select * from idr_mints where reference_id = $1
    union all select * from idr_mints where gateway_payment_id = $1 limit 1`;
  return (await run<Mint>(db, text, [name]))[0];
}

/** The purchase of a flow, which has the reference as its id. */
export async function mintOf(db: Db, reference: string): Promise<Mint> {
  const [row] = await run<Mint>(db, 'select * from idr_mints where reference_id = $1', [reference]);
  if (row === undefined) throw new Error(`There is no ${reference}`);
  return row;
}

/** Locked until the transaction ends: no mint of it is signed meanwhile. */
export async function lockMint(tx: Db, mint_id: number): Promise<Mint | undefined> {
  const text = 'select * from idr_mints where mint_id = $1 for update';
  return (await run<Mint>(tx, text, [mint_id]))[0];
}

/** In the transaction that signs its mint: whether it is still PAID, and locks it so. */
export async function lockIfPaid(tx: Db, mint_id: number): Promise<boolean> {
  const text = `select from idr_mints where mint_id = $1 and status = 'PAID' for share`;
  return (await run(tx, text, [mint_id])).length === 1;
}

/** The gateway has accepted the payment. */
export const recordRequested = (
  tx: Db,
  reference: string,
  payment: { readonly id: string; readonly paymentUrl: string },
): Promise<Mint> =>
  change(
    tx,
    `set gateway_payment_id = $2, payment_url = nullif($3, '') where reference_id = $1
       and status = 'PENDING'`,
    [reference, payment.id, payment.paymentUrl],
  );

/** With the paid amount in units; the total where the gateway has reported none. */
export const markIdrTokenPaid = (
  tx: Db,
  reference: string,
  paid: string | undefined,
  at: Date,
): Promise<Mint> =>
  change(
    tx,
    `set status = 'PAID', payment_status = 'PAID', paid_at = $2, updated_at = $2,
       paid_amount_idr = coalesce($3::numeric, total_amount_idr)
     where reference_id = $1 and status = 'PENDING'`,
    [reference, at.toISOString(), paid ?? null],
  );

/** PENDING or CANCELLED to PAID, by a payment that the operator assigns: with the amounts to mint, in units. */
export const markPaidByAssignment = (
  tx: Db,
  { reference_id }: Pick<Mint, 'reference_id'>,
  given: {
    readonly payment_id: number;
    readonly amount: bigint;
    readonly fee: bigint;
    readonly applied: bigint;
  },
  at: Date,
): Promise<Mint> =>
  change(
    tx,
    `set status = 'PAID', payment_status = 'PAID', paid_at = $2, updated_at = $2,
       given_payment_id = $3, paid_receipt = null, paid_line = null,
       amount_idr = $4::numeric, amount_token = $4::numeric, fee_amount = $5::numeric,
       total_amount_idr = $4::numeric + $5::numeric, paid_amount_idr = $6::numeric
     where reference_id = $1 and status in ('PENDING', 'CANCELLED')`,
    [
      reference_id,
      at.toISOString(),
      given.payment_id,
      given.amount.toString(),
      given.fee.toString(),
      given.applied.toString(),
    ],
  );

/** PAID to FAILED: the issuer does not mint. The payment can be refunded. */
export const markUnissued = (
  tx: Db,
  reference_id: string,
  failure: string,
  at: Date,
): Promise<Mint> => move(tx, { reference_id, status: 'PAID' }, failedBy(failure, at));

export const markIdrTokenMinted = (
  tx: Db,
  reference_id: string,
  mint_tx_hash: Hash,
  at: Date,
): Promise<Mint> =>
  move(
    tx,
    { reference_id, status: 'PAID' },
    { status: 'MINTED', mint_tx_hash, updated_at: at.toISOString() },
  );

/** MINTED back to PAID: the chain has dropped the mint for good. */
export const markUnminted = (tx: Db, reference_id: string, at: Date): Promise<Mint> =>
  move(
    tx,
    { reference_id, status: 'MINTED' },
    { status: 'PAID', mint_tx_hash: null, updated_at: at.toISOString() },
  );

/** With the present hash of the transaction. */
export const markSuccess = (
  tx: Db,
  reference_id: string,
  mint_tx_hash: Hash,
  at: Date,
): Promise<Mint> =>
  move(
    tx,
    { reference_id, status: 'MINTED' },
    { status: 'SUCCESS', mint_tx_hash, updated_at: at.toISOString() },
  );

export const markCancelled = (tx: Db, reference_id: string, at: Date): Promise<Mint> =>
  move(
    tx,
    { reference_id, status: 'PENDING' },
    { status: 'CANCELLED', payment_status: 'EXPIRED', updated_at: at.toISOString() },
  );

export const markMintFailed = (
  tx: Db,
  reference_id: string,
  failure: string,
  at: Date,
): Promise<Mint> =>
  move(
    tx,
    { reference_id, status: 'PENDING' },
    { ...failedBy(failure, at), payment_status: 'FAILED' },
  );

const failedBy = (failure: string, at: Date) =>
  ({ status: 'FAILED', failure: failure.slice(0, 200), updated_at: at.toISOString() }) as const;

/** The payment is refunded, only from the status that the refund was decided upon. */
export const markMintRefunded = (
  tx: Db,
  { reference_id, status }: Pick<Mint, 'reference_id' | 'status'>,
  at: Date,
): Promise<Mint> =>
  move(
    tx,
    { reference_id, status, payment_status: 'PAID' },
    { ...failedBy('REFUNDED', at), payment_status: 'REFUNDED' },
  );

/** Throws where it was in another status: the step has been taken already. */
async function change(tx: Db, text: string, values: readonly unknown[]): Promise<Mint> {
  const [row] = await run<Mint>(tx, `update idr_mints ${text} returning *`, values);
  if (row === undefined) throw new Error(`${values[0]} is in another status`);
  return row;
}

/** A user's, newest first. */
export const MINTS: CountedList = {
  name: 'idr_mints',
  facets: ['status'],
  references: ['reference_id'],
};
