import { bankFlow, hostCurrencyOf, type PayoutFlow } from '#features/fiat/payouts/payouts.ts';
import { ending, unpackedReference } from '#features/ramps/ramp/ramp.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { recordStep } from './audit.ts';
import { bookPayout, returnOperation } from './booking.ts';
import type { Ramp, RampDeps } from './deps.ts';
import { HOST_PREFIX, payoutReferenceOf } from './presenters.ts';
import { endStep, failBankStep, insertSteps } from './step-store.ts';
import {
  type CardanoOrder,
  cardanoFlowId,
  failOrder,
  getCardanoOrder,
  markReturned,
  updateOrder,
} from './store.ts';

const ORDER = '[0-9a-f-]{36}';
const REFERENCE = new RegExp(`^CARDANO-OUT-(${ORDER})$`);
const FLOW = new RegExp(`(${ORDER})$`);

function flowOf(reference: string): string | undefined {
  const packed = unpackedReference(HOST_PREFIX, reference);
  const [, order_id = packed] = REFERENCE.exec(reference) ?? [];
  return order_id && cardanoFlowId(order_id);
}

/** To the bank account that the order names. */
export const cardanoBankFlow = (sagas: RampDeps['sagas']): ReturnType<typeof bankFlow<Ramp>> =>
  bankFlow<Ramp>(sagas, {
    name: 'cardano',
    rail: 'cardano-payouts',
    table: 'cardano_orders',
    event: 'payout',
    flowOf,
    async requestOf(db, { data }) {
      const order = await getCardanoOrder(db, data.order_id);
      return { ...payoutRequestOf(order), client_id: order.client_id };
    },
    async enter(tx, { data }) {
      await updateOrder(tx, data.order_id, { status: 'PAYING' });
      return undefined;
    },
    async bookReturn(tx, flow, failure) {
      const order = await markReturned(tx, FLOW.exec(flow)?.[1] ?? '');
      if (!order) return undefined;
      await failBankStep(tx, order.order_id);
      await insertSteps(tx, order, [{ step: 'RETURN' }]);
      await recordStep(tx, 'PAYOUT_RETURNED', order, { details: { failure } });
      return [await returnOperation(tx, order, 'paying')];
    },
  });

/** A refused payout is undone in full. */
export const bankStates = (
  { payouts, clock }: Pick<RampDeps, 'payouts' | 'clock'>,
  flow: PayoutFlow<Ramp>,
) => ({
  ...payouts.states(flow, {
    pay: 'payout',
    wait: 'sent',
    ask: 'ask',
    paid: 'paid',
    failed: 'returned',
  }),
  paid: ending<Ramp>(async (tx, { data: { order_id } }) => {
    const paid_out_at = clock.now().toISOString();
    const order = await updateOrder(tx, order_id, { status: 'DONE', paid_out_at });
    await endStep(tx, order_id, 'BANK_OUT', 'SUCCESS_RECEIVED');
    await recordStep(tx, 'DONE', order);
    await bookPayout(tx, order);
  }),
  returned: ending<Ramp>(async (tx, { data: { order_id } }) => {
    const end = { failure: 'PAYOUT', given_back: 'WALLET', forget: false } as const;
    const order = await failOrder(tx, order_id, end);
    await endStep(tx, order_id, 'BANK_OUT', 'FAILED');
    await insertSteps(tx, order, [{ step: 'RETURN' }]);
    await recordStep(tx, 'GIVEN_BACK', order);
    await postWithin(tx, await returnOperation(tx, order, 'owed'));
  }),
});

function payoutRequestOf(order: CardanoOrder) {
  const { order_id, currency_to, payout, bank_code, account_number, account_name } = order;
  if (payout === null || bank_code === null || account_number === null || account_name === null)
    throw new Error(`${order_id} goes to no bank account`);
  return {
    reference: payoutReferenceOf(order),
    asset: hostCurrencyOf(currency_to ?? '') ?? ('IDR' as const),
    units: payout,
    to: { bankCode: bank_code, accountNumber: account_number, accountName: account_name },
    description: 'Payout of USDC',
  };
}
