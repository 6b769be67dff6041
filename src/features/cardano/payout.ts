import type { Db } from '#kernel/db/db.ts';
import { type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { State } from '#kernel/effects/saga-machine.ts';
import type { Payout, PayoutRequest } from '#providers/gateway/port.ts';
import { noteEvent } from './audit.ts';
import { bookPayout, bookReturn } from './booking.ts';
import type { Ramp, RampDeps } from './deps.ts';
import { endStep, insertSteps } from './step-store.ts';
import { failOrder, findOrder, flowId, getOrder, noteOrder, type Order } from './store.ts';

const MINUTE_MS = 60_000;
const PAUSES = { firstMs: 5000, maxMs: 10 * MINUTE_MS };
/** A call-back that never comes is not waited for longer than that. */
const TOLD_MS = 10 * MINUTE_MS;

/** By which a flow hears that there is news of its payout. */
const PAYOUT_EVENT = 'payout';

/** What the gateway knows the payout of an order by. */
export const payoutReference = (order_id: string): string => `CARDANO-OUT-${order_id}`;
/** The order of a payout; nothing where it is somebody else's. */
export const orderOfPayout = (reference: string): string | undefined =>
  /^CARDANO-OUT-([0-9a-f-]{36})$/.exec(reference)?.[1];

/** In rupiah, to the bank account that the order names. Refused or sent back, all is undone. */
export const payoutStates = (deps: RampDeps): Readonly<Record<string, State<Ramp>>> => ({
  payout: {
    pauses: PAUSES,
    async enter(tx, { data }) {
      await noteOrder(tx, data.order_id, { status: 'PAYING' });
      return undefined;
    },
    call: ({ data }) => payOut(deps, data),
    lookUp: ({ data }) => deps.gateway.findPayout(payoutReference(data.order_id)),
    next: byStatus,
    onRefused: 'returned',
  },
  sent: { wait: PAYOUT_EVENT, timeoutMs: TOLD_MS, onEvent: 'ask', onTimeout: 'ask' },
  ask: {
    pauses: PAUSES,
    call: ({ data }) => askAgain(deps, data),
    next: byStatus,
    onRefused: 'sent',
  },
  paid: {
    final: true,
    async enter(tx, { data }) {
      const paid_out_at = deps.clock.now().toISOString();
      const order = await noteOrder(tx, data.order_id, { status: 'DONE', paid_out_at });
      await endStep(tx, data.order_id, 'BANK_OUT', 'SUCCESS_RECEIVED');
      await noteEvent(tx, 'DONE', order);
      await bookPayout(tx, order);
      return undefined;
    },
  },
  returned: {
    final: true,
    async enter(tx, { data }) {
      const end = { failure: 'PAYOUT', given_back: 'WALLET', forget: false } as const;
      const order = await failOrder(tx, data.order_id, end);
      await endStep(tx, data.order_id, 'BANK_OUT', 'FAILED');
      await insertSteps(tx, order, [{ step: 'RETURN' }]);
      await noteEvent(tx, 'GIVEN_BACK', order);
      await bookReturn(tx, order);
      return undefined;
    },
  },
});

const byStatus = (_: unknown, told: Pick<Payout, 'status'>): string =>
  ({ PENDING: 'sent', COMPLETED: 'paid', FAILED: 'returned' })[told.status];

async function payOut({ gateway, db }: RampDeps, { order_id }: Ramp): Promise<Outcome<Payout>> {
  return gateway.createPayout(requestOf(await getOrder(db, order_id)));
}

function requestOf(order: Order): PayoutRequest {
  const { order_id, payout, bank_code, account_number, account_name } = order;
  if (payout === null || bank_code === null || account_number === null || account_name === null)
    throw new Error(`${order_id} goes to no bank account`);
  return {
    reference: payoutReference(order_id),
    units: payout,
    to: { bankCode: bank_code, accountNumber: account_number, accountName: account_name },
    description: 'Payout of USDC',
  };
}

/** It was sent, so that a gateway that knows nothing of it has to be asked again. */
async function askAgain({ gateway }: RampDeps, { order_id }: Ramp): Promise<Outcome<Payout>> {
  const found = await gateway.findPayout(payoutReference(order_id));
  if (found.kind === 'refused') return unknown(found.message);
  if (found.kind === 'done' && found.value === undefined)
    return unknown('The gateway knows nothing of the payout');
  return found.kind === 'done' && found.value !== undefined
    ? { kind: 'done', value: found.value }
    : (found as Outcome<Payout>);
}

/** News of a payout, perhaps of an order of ours, whoever tells: the flow asks the gateway itself. */
export async function hearPayout(
  { sagas, db }: Pick<RampDeps, 'sagas' | 'db'>,
  { event, reference }: { readonly event: string; readonly reference: string },
): Promise<void> {
  const order_id = orderOfPayout(reference);
  if (order_id === undefined) return;
  // Anybody may call: what names no payout of ours is not worth a row.
  const { flow, isPaying } = await payingFlow(db, order_id);
  if (isPaying) await sagas.signal(db, flow, PAYOUT_EVENT, event, {});
}

async function payingFlow(db: Db, order_id: string) {
  const order = await findOrder(db, order_id);
  return { flow: flowId(order_id), isPaying: order?.status === 'PAYING' };
}
