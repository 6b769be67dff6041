import type { Db } from '#kernel/db/db.ts';
import { defineInbox, type Inbox } from '#kernel/effects/inbox.ts';
import { transact } from '#kernel/transact.ts';
import type { GatewayNotification } from '#providers/gateway/port.ts';
import type { IdrBase } from '../deps.ts';
import { bookReceipts, lookAtMoney, type ReceivedMoney } from '../unmatched/book-receipts.ts';

const KEPT_MS = 90 * 24 * 3_600_000;

type Said = GatewayNotification & { readonly [key: string]: unknown };
/** What counts: the gateway's own word. Nothing where there is no such purchase. */
export type PaymentInbox = Inbox<Said, ReceivedMoney | undefined>;

/**
 * A caller says that a payment was made, or lapsed. The gateway is asked, and its answer counts, however late it
 * comes and however often it is said. In mock mode what a caller says has come true by then.
 */
export const paymentInbox = (deps: IdrBase): PaymentInbox =>
  defineInbox<Said, ReceivedMoney | undefined>({
    source: 'gateway-payments',
    keptMs: KEPT_MS,
    again: true,
    async ask({ reference, status }) {
      const { offline } = deps.gateway;
      if (isWord(status)) await offline?.simulatePayment(reference, status);
      return lookAtMoney(deps, reference);
    },
    async handle(tx, { reference }, { answer }) {
      const money = answer?.kind === 'done' ? answer.value : undefined;
      if (money === undefined) return 'nothing-new';
      // The flow first, as everywhere: its row is locked before the purchase.
      const told = await signalFlow(deps, tx, reference, money);
      const booked = await bookReceipts(deps, tx, reference, money);
      return booked > 0 ? 'booked' : told;
    },
  });

const isWord = (status: string): status is 'PAID' | 'EXPIRED' =>
  status === 'PAID' || status === 'EXPIRED';

async function signalFlow(
  { sagas }: Pick<IdrBase, 'sagas'>,
  tx: Db,
  reference: string,
  { payment }: ReceivedMoney,
): Promise<string> {
  const { status = 'PENDING', units = 0n } = payment ?? {};
  if (!isWord(status)) return 'nothing-new';
  const payload = { status, ...(status === 'PAID' && { paid: String(units) }) };
  return told(await sagas.signal(tx, reference, 'told', status, payload));
}

const told = (isNew: boolean): string => (isNew ? 'told' : 'known');

/**
 * Keeps what somebody says of one of ours. The gateway's own call-backs are followed up here and now;
 * anybody else's are left to a job, which asks once for however many there were.
 */
export async function receivePaymentNotification(
  { db, inboxes }: Pick<IdrBase, 'db' | 'inboxes'>,
  inbox: PaymentInbox,
  news: GatewayNotification,
  isTrusted: boolean,
): Promise<void> {
  await transact(db, (tx) => inboxes.receive(tx, inbox, news.reference, { ...news }));
  if (isTrusted) await inboxes.handleNow(inbox, news.reference);
}

/** Has the gateway asked again what has come in for a purchase, by a job, without a word of anybody's. */
export const requestLookUp = async (
  { inboxes }: Pick<IdrBase, 'inboxes'>,
  tx: Db,
  inbox: PaymentInbox,
  reference: string,
): Promise<void> => {
  await inboxes.receive(tx, inbox, reference, { event: 'look', reference, status: 'PENDING' });
};

/** Follows up what the gateway's statement has, and nobody has called back about. */
export const followUp = (
  deps: Pick<IdrBase, 'db' | 'inboxes'>,
  inbox: PaymentInbox,
  references: readonly string[],
): Promise<void> =>
  transact(deps.db, async (tx) => {
    for (const reference of new Set(references)) await requestLookUp(deps, tx, inbox, reference);
  });
