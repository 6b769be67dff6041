import { logActivity } from '#features/messaging/activity/activity.ts';
import { clientOfUser } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import { shownTx, XrplTx } from './presenters.ts';
import { insertRecord, moveRecord, type XrplRecord, type XrplRecordStatus } from './store.ts';

/** Ramps of the XRP Ledger as payments. */
export const XRPL_PAYMENTS: PaymentSource = {
  view: 'payment_of_xrpl_transactions',
  rail: 'xrpl',
  key: { column: 'object_key', type: 'integer' },
  names: ['tx_hash'],
  href: () => null,
};

const ramp = defineEvents(
  'xrpl_transaction',
  {
    schema: XrplTx,
    since: '2026-11',
    payment: XRPL_PAYMENTS,
    example: {
      id: 6,
      user_id: 3,
      tx_type: 'ONRAMP',
      tx_hash: 'E3FE6EA3D48F0C2B639448020EA4F03D4F4F8FFDB243A852A0F59177921B4879',
      source_address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
      destination_address: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
      destination_tag: null,
      currency_code: 'USDC',
      amount: '10.000000',
      status: 'tesSUCCESS',
      raw_response: null,
      created_at: '2026-11-22T03:00:58.447Z',
      updated_at: '2026-11-22T03:01:03.112Z',
    },
  },
  {
    pending: 'Money is on its way over the XRP Ledger',
    succeeded: 'Money has arrived over the XRP Ledger',
    failed: 'Money has not gone over the XRP Ledger; it is back',
  },
);

export const XRPL_EVENTS = Object.values(ramp);

/** Stores a record and emits its event; undefined when the operation was begun before. */
export async function beginRecord(
  ...given: Parameters<typeof insertRecord>
): Promise<XrplRecord | undefined> {
  const row = await insertRecord(...given);
  if (row) await emitRamp(given[0], row);
  return row;
}

interface FlowOfUser {
  readonly id: string;
  readonly data: { readonly client_id: number; readonly user_id: number };
}

/** For the audit: the service itself ends a flow. */
export const auditEntry = ({ id: operation, data }: FlowOfUser, action: string) => ({
  action,
  actor: null,
  client_id: data.client_id,
  subject_user_id: data.user_id,
  details: { operation },
});

/** Ends an open record, with its event and its audit entry. */
export async function endXrplFlow(
  tx: Db,
  flow: FlowOfUser,
  status: Exclude<XrplRecordStatus, 'PENDING'>,
  action: string,
): Promise<void> {
  const row = await moveRecord(tx, flow.id, ['PENDING', status]);
  if (row) await emitRamp(tx, row);
  await logActivity(tx, auditEntry(flow, action));
}

/** An event leaves the ledger's raw answer out: its address tells it. */
async function emitRamp(tx: Db, row: XrplRecord): Promise<void> {
  const { user_id, id, operation, status } = row;
  const verb = VERBS[status] ?? 'succeeded';
  const data = shownTx({ ...row, raw_response: null });
  const client_id = await clientOfUser(tx, user_id);
  emit(tx, ramp[verb], { client_id, user_id, id, data, operation });
}

const VERBS: Readonly<Record<string, keyof typeof ramp>> = { PENDING: 'pending', FAILED: 'failed' };
