import type { Db } from '#kernel/db/db.ts';
import { defineInbox, type Inbox } from '#kernel/effects/inbox.ts';
import { transact } from '#kernel/transact.ts';
import type { GatewayNotification } from '#providers/gateway/port.ts';
import type { IdrBase } from '../deps.ts';
import { bookReceipts, findReceivedMoney, type ReceivedMoney } from '../unmatched/book-receipts.ts';

const KEPT_MS = 90 * 24 * 3_600_000;

type Notification = GatewayNotification & { readonly [key: string]: unknown };
/** The gateway's own answer counts; undefined where there is no such purchase. */
export type PaymentInbox = Inbox<Notification, ReceivedMoney | undefined>;

/**
 * A caller reports that a payment was made, or lapsed. The service asks the gateway and books its answer, however
 * late and however often it comes. In mock mode the report itself has settled the payment by then.
 */
export const paymentInbox = (deps: IdrBase): PaymentInbox =>
  defineInbox<Notification, ReceivedMoney | undefined>({
    source: 'gateway-payments',
    keptMs: KEPT_MS,
    again: true,
    async ask({ reference, status }) {
      const { offline } = deps.gateway;
      if (isEnd(status)) await offline?.simulatePayment(reference, status);
      return findReceivedMoney(deps, reference);
    },
    async handle(tx, { reference }, { answer }) {
      const money = answer?.kind === 'done' ? answer.value : undefined;
      if (money === undefined) return 'nothing-new';
      // The flow first, as everywhere: its row is locked before the purchase.
      const signalled = await signalFlow(deps, tx, reference, money);
      const booked = await bookReceipts(deps, tx, reference, money);
      return booked > 0 ? 'booked' : signalled;
    },
  });

const isEnd = (status: string): status is 'PAID' | 'EXPIRED' =>
  status === 'PAID' || status === 'EXPIRED';

async function signalFlow(
  { sagas }: Pick<IdrBase, 'sagas'>,
  tx: Db,
  reference: string,
  { payment }: ReceivedMoney,
): Promise<string> {
  const { status = 'PENDING', units = 0n } = payment ?? {};
  if (!isEnd(status)) return 'nothing-new';
  const payload = { status, ...(status === 'PAID' && { paid: String(units) }) };
  const isNew = await sagas.signal(tx, reference, 'told', status, payload);
  return isNew ? 'notified' : 'known';
}

/**
 * Stores a notification about a payment of ours. The gateway's own call-backs are handled at once; all others are left
 * to a job, which asks once for all of them.
 */
export async function receivePaymentNotification(
  { db, inboxes }: Pick<IdrBase, 'db' | 'inboxes'>,
  inbox: PaymentInbox,
  notification: GatewayNotification,
  isTrusted: boolean,
): Promise<void> {
  await transact(db, (tx) =>
    inboxes.receive(tx, inbox, notification.reference, { ...notification }),
  );
  if (isTrusted) await inboxes.handleNow(inbox, notification.reference);
}

/** Makes a job ask the gateway for the payments of a purchase, without a call-back. */
export const requestLookUp = async (
  { inboxes }: Pick<IdrBase, 'inboxes'>,
  tx: Db,
  inbox: PaymentInbox,
  reference: string,
): Promise<void> => {
  await inboxes.receive(tx, inbox, reference, { event: 'look', reference, status: 'PENDING' });
};

/** Books payments of the gateway's statement that no call-back has reported. */
export const followUp = (
  deps: Pick<IdrBase, 'db' | 'inboxes'>,
  inbox: PaymentInbox,
  references: readonly string[],
): Promise<void> =>
  transact(deps.db, async (tx) => {
    for (const reference of new Set(references)) await requestLookUp(deps, tx, inbox, reference);
  });
