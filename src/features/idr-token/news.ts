import { transact } from '#kernel/db/transact.ts';
import { defineInbox, type Inbox } from '#kernel/effects/inbox.ts';
import { done, type Outcome } from '#kernel/effects/outcome.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import type { GatewayNews, Payment, Payout } from '#providers/gateway/port.ts';
import { noteStep } from './audit.ts';
import type { IdrBase } from './deps.ts';
import { tellPayout } from './events.ts';
import { returnedOperation } from './legs.ts';
import { findMint } from './mint-store.ts';
import { findPayment, findPayout } from './payments.ts';
import { findRedeem, lockRedeem, markReturned, type Redeem } from './redeem-store.ts';

const KEPT_MS = 90 * 24 * 3_600_000;

type Said = GatewayNews & { readonly [key: string]: unknown };
/** What counts: the gateway's own word, or in mock mode the caller's. Nothing where it knows nothing. */
interface Word {
  readonly status: string;
  readonly units?: bigint;
  readonly failureCode?: string | undefined;
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

/** The same of a bank transfer, which the bank may also send back after it had arrived. */
export const payoutInbox = (deps: IdrBase): NewsInbox =>
  defineInbox<Said, Word | undefined>({
    source: 'gateway-payouts',
    keptMs: KEPT_MS,
    again: true,
    ask: ({ reference, status }) =>
      deps.config.MOCK_MODE
        ? Promise.resolve(done({ status }))
        : (findPayout(deps, reference) as Promise<Outcome<Payout | undefined>>),
    async handle(tx, { reference }, { answer }) {
      const word = answer?.kind === 'done' ? answer.value : undefined;
      if (word?.status !== 'COMPLETED' && word?.status !== 'FAILED') return 'nothing-new';
      const { status, failureCode: failure } = word;
      const payload = { status, ...(failure !== undefined && { failure }) };
      const isNew = await deps.sagas.signal(tx, reference, 'told', status, payload);
      const redeem = await findRedeem(tx, { reference_id: reference });
      if (status === 'FAILED' && redeem?.status === 'COMPLETED')
        return takeReturn(deps, tx, redeem, failure);
      return told(isNew);
    },
  });

const told = (isNew: boolean): string => (isNew ? 'told' : 'known');

/** COMPLETED to FAILED, once: the gateway has the money again. */
async function takeReturn(
  { clock, log, accounts, gateway }: IdrBase,
  tx: Parameters<NewsInbox['handle']>[0],
  { redeem_id, reference_id }: Redeem,
  failure = 'The bank has returned the transfer',
): Promise<string> {
  const locked = await lockRedeem(tx, redeem_id);
  if (locked?.status !== 'COMPLETED') return 'known';
  const redeem = await markReturned(tx, reference_id, failure, clock.now());
  log.warn({ reference: reference_id, failure }, 'A redemption came back from the bank');
  await noteStep(tx, 'IDR_OFFRAMP_RETURNED', redeem, { failure });
  tellPayout(tx, 'returned', redeem);
  const taken = { byGateway: gateway.issuesToken };
  await postWithin(tx, returnedOperation(redeem, await accounts(), taken));
  return 'returned';
}

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
