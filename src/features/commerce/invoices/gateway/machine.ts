import type { Db } from '#kernel/db/db.ts';
import { type Machine, machineOf, type Saga } from '#kernel/effects/saga-machine.ts';
import type { BankAccount } from '#providers/gateway/port.ts';
import type { GatewayTryDeps, TryingDeps } from '../deps.ts';
import { emitNamedPayment } from '../events.ts';
import { followTries, withPayment } from '../paid.ts';
import {
  type InvoiceAccount,
  type InvoicePaymentStatus,
  movePayment,
  recordAction,
  requireInvoicePayment,
  TRYING,
} from '../payment-store.ts';
import { lockInvoice } from '../store.ts';
import { bookInvoiceMoney } from './book.ts';
import { endTry, findReceipts, findTry, requestTry, type TryState } from './money.ts';
import type { Try } from './try.ts';

/** What a try hears: its end at the gateway, or that it is to be called off. */
export interface TryNews {
  readonly status: 'PAID' | 'EXPIRED' | 'CANCELLED';
}

type Flow = Saga<Try>;

const { step, wait, final, machine } = machineOf<Try>();

const AT_ONCE = 10;
/** A person watches a payment at first; an unreachable gateway is asked more and more seldom. */
const PAUSES = { firstMs: 5000, maxMs: 10 * 60_000 };

const stateAfter =
  (open: 'open' | 'ended') =>
  (_: unknown, { status }: TryState) =>
    ({
      PENDING: open,
      PAID: 'settle' as const,
      EXPIRED: 'ended' as const,
      NEVER_ASKED: 'ended' as const,
      REFUSED: 'refused' as const,
    })[status];

/**
 * One try to pay an invoice by the gateway: requested, awaited, and booked by the gateway's own record of the money. One
 * that is called off or overdue is first ended there, whose answer tells whether a payer was faster.
 */
export const invoiceTryMachine = (deps: GatewayTryDeps): Machine<Try> =>
  machine({
    type: 'invoice-payment',
    initial: 'request',
    concurrency: AT_ONCE,
    states: {
      request: step({
        pauses: PAUSES,
        call: ({ id }) => requestTry(deps, id),
        lookUp: ({ id }) => findTry(deps, id),
        apply: (tx, { id }, state) => keepAction(tx, id, state),
        next: stateAfter('open'),
        onRefused: 'refused',
      }),
      open: wait({
        wait: 'news',
        timeoutMs: ({ data }) => Math.max(Date.parse(data.expiresAt) - deps.clock.ms(), 0),
        apply: async (_, __, news: TryNews | undefined) =>
          news?.status === 'CANCELLED' ? { isCancelled: true } : undefined,
        onEvent: (_, { status }: TryNews) => (status === 'PAID' ? 'settle' : 'lapse'),
        onTimeout: 'lapse',
      }),
      lapse: step({
        pauses: PAUSES,
        call: ({ id }) => endTry(deps, id),
        next: stateAfter('ended'),
        onRefused: 'lapse',
      }),
      settle: step({
        pauses: PAUSES,
        enter: (tx, { id }) => markPending(tx, id),
        call: ({ id }) => findReceipts(deps, id),
        lookUp: ({ id }) => findReceipts(deps, id),
        apply: async (tx, { id }, receipts) => {
          await bookInvoiceMoney(deps, tx, id, receipts);
          return undefined;
        },
        next: 'booked',
        onRefused: 'settle',
      }),
      booked: final(),
      ended: final((tx, saga) => cancelTry(deps, tx, saga)),
      refused: final((tx, saga) => refuseTry(deps, tx, saga)),
    },
  });

const ID_MAX = 200;

async function keepAction(tx: Db, id: string, state: TryState): Promise<Partial<Try> | undefined> {
  if ('why' in state) return { failure: state.why };
  const row = await recordAction(tx, id, {
    provider_reference: state.id.slice(0, ID_MAX),
    payment_url: state.paymentUrl,
    accounts: state.accounts?.length ? keptAccounts(state.accounts) : null,
  });
  if (row) await emitNamedPayment(tx, 'pending', await requireInvoicePayment(tx, id));
  return undefined;
}

/** As callers read them. */
const keptAccounts = (accounts: readonly BankAccount[]): InvoiceAccount[] =>
  accounts.map(({ bankCode, accountNumber, accountName }) => ({
    bank_code: bankCode,
    account_number: accountNumber,
    account_name: accountName,
  }));

interface Move {
  readonly from: readonly InvoicePaymentStatus[];
  readonly to: InvoicePaymentStatus;
  readonly event: 'pending' | 'failed' | 'cancelled';
  readonly failure?: object;
}

/** Where it is in another status by now, nothing is changed: its money was booked. */
async function moveTry(tx: Db, id: string, { event, failure, ...move }: Move): Promise<undefined> {
  const { invoice_id } = await requireInvoicePayment(tx, id);
  const invoice = await lockInvoice(tx, {}, invoice_id);
  const payment = await requireInvoicePayment(tx, id);
  const change = failure && { failure: JSON.stringify(failure) };
  const moved = await movePayment(tx, payment, move, change);
  if (!moved || !invoice) return;
  await emitNamedPayment(tx, event, moved);
  await followTries(tx, withPayment(invoice, moved));
}

/** Its payer has acted: the gateway has the money. */
const markPending = (tx: Db, id: string) =>
  moveTry(tx, id, { from: ['REQUIRES_ACTION'], to: 'PENDING', event: 'pending' });

function cancelTry({ clock }: Pick<TryingDeps, 'clock'>, tx: Db, { id, data }: Flow) {
  const late = {
    code: 'EXPIRED',
    message: 'It was not paid in time',
    retryable: true,
    at: clock.now().toISOString(),
  };
  const failure = data.isCancelled ? {} : { failure: late };
  return moveTry(tx, id, { from: TRYING, to: 'CANCELLED', event: 'cancelled', ...failure });
}

function refuseTry({ clock, log }: Pick<TryingDeps, 'clock' | 'log'>, tx: Db, saga: Flow) {
  const { id, data } = saga;
  log.warn({ payment: id, failure: data.failure }, 'The gateway does not take a payment');
  const failure = {
    code: 'PROVIDER_REJECTED',
    message: 'The payment gateway does not take it',
    retryable: true,
    ...(data.failure !== undefined && { provider_code: data.failure.split(':')[0] }),
    at: clock.now().toISOString(),
  };
  return moveTry(tx, id, { from: TRYING, to: 'FAILED', event: 'failed', failure });
}
