import { type Static, Type } from 'typebox';
import { NETWORKS, type NetworkCode } from '#features/ramps/exchange-wallets/exchange-wallets.ts';
import { named } from '#kernel/http/declare/named.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import { explained, Id, Nullable, TextOrNull, Timestamp } from '#kernel/http/declare/schema.ts';
import { format, sumToWire, toWire } from '#kernel/money/money.ts';
import type { ConversionWithdrawal } from './order-store.ts';
import type { Reconciliation } from './reconciliation-store.ts';
import type { ConversionJob } from './store.ts';

export const ReconciliationInfo = named('ConversionReconciliation', {
  reconciliation_id: Id,
  status: Type.String(),
  requires_admin_attention: Type.Boolean(),
  in_flight: Type.Optional(
    explained(
      Type.Object({ going_out_idr: Type.Number(), coming_in_idr: Type.Number() }),
      'What is under way at the gateway and explains a difference; for the operator alone',
    ),
  ),
});

export const JobInfo = named('ConversionJob', {
  job_id: Id,
  user_id: Id,
  batch_amount_idr: Type.Number(),
  disbursement_id: TextOrNull,
  reference_id: Type.String(),
  status: Type.String(),
  reason: Nullable(Type.Object({ code: Type.String(), message: TextOrNull })),
  reconciliation: ReconciliationInfo,
  trade: Nullable(
    Type.Object({
      spent_idr: Type.Number(),
      fee_idr: Type.Number(),
      returned_idr: Type.Number(),
      bought_usdc: Type.String(),
      fee_usdc: Type.String(),
    }),
  ),
  withdrawal: Nullable(
    Type.Object({
      network: Type.String(),
      address: Type.String(),
      amount: Type.String(),
      fee: TextOrNull,
      tx_hash: TextOrNull,
    }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const rupiah = (units: bigint): number => toWire({ asset: 'IDR', units });
export const sumOfRupiah = (units: bigint): number => sumToWire({ asset: 'IDR', units });
export const conversionDollars = (units: bigint): string => format({ asset: 'USDC', units });

/** Money in flight is that of all tenants: the operator alone sees it. */
export const shownReconciliation = (
  { reconciliation_id, status, requires_admin_attention, going_out, coming_in }: Reconciliation,
  { operator }: Pick<UserCaller, 'operator'>,
): Static<typeof ReconciliationInfo> => ({
  reconciliation_id,
  status,
  requires_admin_attention,
  ...(operator && {
    in_flight: { going_out_idr: sumOfRupiah(going_out), coming_in_idr: sumOfRupiah(coming_in) },
  }),
});

/** A job in all answers. */
export function shownJob(
  job: ConversionJob,
  reconciliation: Reconciliation,
  withdrawal: ConversionWithdrawal | undefined,
  caller: Pick<UserCaller, 'operator'>,
): Static<typeof JobInfo> {
  const { job_id, user_id, disbursement_id, reference_id, status, created_at, updated_at } = job;
  return {
    job_id,
    user_id,
    disbursement_id,
    reference_id,
    status,
    created_at,
    updated_at,
    batch_amount_idr: rupiah(job.amount),
    reason: job.reason === null ? null : { code: job.reason, message: job.reason_message },
    reconciliation: shownReconciliation(reconciliation, caller),
    trade: job.spent === 0n ? null : shownTrade(job),
    withdrawal: withdrawal ? shownWithdrawal(withdrawal) : null,
  };
}

const shownTrade = ({ spent, fee_idr, returned, bought, fee_usdc }: ConversionJob) => ({
  spent_idr: rupiah(spent),
  fee_idr: rupiah(fee_idr),
  returned_idr: rupiah(returned),
  bought_usdc: conversionDollars(bought),
  fee_usdc: conversionDollars(fee_usdc),
});

/** The amount that arrives, once it is known; until then the amount that leaves the exchange. */
const shownWithdrawal = ({
  network,
  wallet_address,
  amount,
  arrived,
  fee,
  tx_hash,
}: ConversionWithdrawal) => ({
  network: NETWORKS[network as NetworkCode].name,
  address: wallet_address,
  amount: conversionDollars(arrived ?? amount),
  fee: fee === null ? null : conversionDollars(fee),
  tx_hash,
});
