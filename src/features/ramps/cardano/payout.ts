import type { PayoutFlow, PayoutPayer, PayoutRow } from '#features/fiat/payouts/payouts.ts';
import type { Db } from '#kernel/db/db.ts';
import { hasRows } from '#kernel/db/has-rows.ts';
import type { State } from '#kernel/effects/saga-machine.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import type { PayoutRequest } from '#providers/gateway/port.ts';
import { noteEvent } from './audit.ts';
import { bookPayout, returnOperation, sentBackOperation } from './booking.ts';
import type { Ramp, RampDeps } from './deps.ts';
import { endStep, failBankStep, insertSteps } from './step-store.ts';
import {
  type CardanoOrder,
  cardanoFlowId,
  failOrder,
  getCardanoOrder,
  markReturned,
  noteOrder,
} from './store.ts';

const GRACE_MS = 2 * 3_600_000;
/** By which a flow hears how its payout has ended. */
const EVENT = 'payout';
const REFERENCE = /^CARDANO-OUT-([0-9a-f-]{36})$/;

/** What the gateway knows the payout of an order by. */
const referenceOf = (order_id: string): string => `CARDANO-OUT-${order_id}`;
function orderOf(reference: string): string {
  const [, order_id] = REFERENCE.exec(reference) ?? [];
  if (order_id === undefined) throw new Error(`${reference} is no payout of an order`);
  return order_id;
}

/** Orders that end at a bank. */
export const cardanoPayer = ({ sagas }: Pick<RampDeps, 'sagas'>): PayoutPayer => ({
  ...PAYER,
  owns: (reference) => REFERENCE.test(reference),
  rail: {
    name: 'cardano-payouts',
    graceMs: GRACE_MS,
    isUsed: (db) => hasRows(db, 'cardano_orders'),
  },
  hear: (tx, { reference }, word) =>
    sagas.signal(tx, cardanoFlowId(orderOf(reference)), EVENT, word.status, { ...word }),
  takeBack,
  // What a payout that fails had cost is given back with that.
  payLate: async (_, { units: lost }) => ({ lost }),
});
const PAYER = { name: 'cardano' } as const;

async function takeBack(tx: Db, { reference }: PayoutRow, failure: string) {
  const order = await markReturned(tx, orderOf(reference));
  if (!order) return undefined;
  await failBankStep(tx, order.order_id);
  await insertSteps(tx, order, [{ step: 'RETURN' }]);
  await noteEvent(tx, 'PAYOUT_RETURNED', order, { details: { failure } });
  return [await sentBackOperation(tx, order)];
}

/** In rupiah, to the bank account that the order names. Refused, all is undone. */
export const bankStates = (deps: RampDeps): Readonly<Record<string, State<Ramp>>> => ({
  ...deps.payouts.states(PAYOUT),
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
      await postWithin(tx, await returnOperation(tx, order));
      return undefined;
    },
  },
});

const PAYOUT: PayoutFlow<Ramp> = {
  payer: PAYER,
  names: { pay: 'payout', wait: 'sent', ask: 'ask', paid: 'paid', failed: 'returned' },
  event: EVENT,
  async wish(db, { data }) {
    const order = await getCardanoOrder(db, data.order_id);
    return { ...requestOf(order), client_id: order.client_id };
  },
  async enter(tx, { data }) {
    await noteOrder(tx, data.order_id, { status: 'PAYING' });
    return undefined;
  },
};

function requestOf(order: CardanoOrder): PayoutRequest {
  const { order_id, payout, bank_code, account_number, account_name } = order;
  if (payout === null || bank_code === null || account_number === null || account_name === null)
    throw new Error(`${order_id} goes to no bank account`);
  return {
    reference: referenceOf(order_id),
    units: payout,
    to: { bankCode: bank_code, accountNumber: account_number, accountName: account_name },
    description: 'Payout of USDC',
  };
}
