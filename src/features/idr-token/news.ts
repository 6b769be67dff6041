import { transact } from '#kernel/db/transact.ts';
import { defineInbox, type Inbox } from '#kernel/effects/inbox.ts';
import { done, type Outcome } from '#kernel/effects/outcome.ts';
import type { GatewayNews, Payment } from '#providers/gateway/port.ts';
import type { IdrBase } from './deps.ts';
import { findMint } from './mint-store.ts';
import { findPayment } from './payments.ts';

const KEPT_MS = 90 * 24 * 3_600_000;

type Said = GatewayNews & { readonly [key: string]: unknown };
/** What counts: the gateway's own word, or in mock mode the caller's. Nothing where it knows nothing. */
interface Word {
  readonly status: string;
  readonly units?: bigint;
}
export type NewsInbox = Inbox<Said, Word | undefined>;

/**
 * Somebody says that a payment was made, or lapsed. In mock mode that is believed; else the gateway is
 * asked, and its answer counts, however late it comes and however often it is said.
 */
export const paymentInbox = (deps: IdrBase): NewsInbox =>
  defineInbox<Said, Word | undefined>({
    source: 'gateway-payments',
    keptMs: KEPT_MS,
    again: true,
    ask: ({ reference, status }) =>
      deps.config.MOCK_MODE
        ? Promise.resolve(done({ status }))
        : (findPayment(deps, reference) as Promise<Outcome<Payment | undefined>>),
    async handle(tx, { reference }, { answer }) {
      const word = answer?.kind === 'done' ? answer.value : undefined;
      if (word?.status !== 'PAID' && word?.status !== 'EXPIRED') return 'nothing-new';
      const { status, units } = word;
      const payload = { status, ...(units !== undefined && { paid: String(units) }) };
      const mint = await findMint(tx, { reference_id: reference });
      if (mint?.status === 'CANCELLED' && status === 'PAID')
        deps.log.error({ reference }, 'A purchase that was cancelled is said to be paid');
      return told(await deps.sagas.signal(tx, reference, 'told', status, payload));
    },
  });

const told = (isNew: boolean): string => (isNew ? 'told' : 'known');

/**
 * Keeps what somebody says of one of ours. The gateway's own call-backs are followed up here and now;
 * anybody else's are left to a job, which asks once for however many there were.
 */
export async function takeNews(
  { db, inboxes }: Pick<IdrBase, 'db' | 'inboxes'>,
  inbox: NewsInbox,
  news: GatewayNews,
  isTrusted: boolean,
): Promise<void> {
  await transact(db, (tx) => inboxes.receive(tx, inbox, news.reference, { ...news }));
  if (isTrusted) await inboxes.handleNow(inbox, news.reference);
}

/** Follows up what the gateway's statement has, and nobody has called back about. */
export const followUp = (
  { db, inboxes }: Pick<IdrBase, 'db' | 'inboxes'>,
  inbox: NewsInbox,
  references: readonly string[],
): Promise<void> =>
  transact(db, async (tx) => {
    for (const reference of references)
      await inboxes.receive(tx, inbox, reference, {
        event: 'statement',
        reference,
        status: 'PAID',
      });
  });
