import type { Done } from '#chains/cardano/port.ts';
import {
  CARD_EVENT,
  CARD_FLOW_MS,
  type CardFlowEvent,
  cardFlowOutcome,
  requireNoCardMoney,
} from '#features/fiat/cards/cards.ts';
import type { PayoutFlow } from '#features/fiat/payouts/payouts.ts';
import { ending } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import { LostAttempt } from '#kernel/effects/effect.ts';
import { unknown } from '#kernel/effects/outcome.ts';
import { machineOf, type Saga } from '#kernel/effects/saga-machine.ts';
import { recordStep } from './audit.ts';
import { bookBurn, bookMint, bookRelease } from './booking.ts';
import type { Ramp, RampDeps, RampMachines } from './deps.ts';
import { bankStates } from './payout.ts';
import { addVolume, insertSteps } from './step-store.ts';
import { cardanoFlowId, failOrder, getCardanoOrder, lockIfOpen, updateOrder } from './store.ts';

const MINUTE_MS = 60_000;
const AT_ONCE = 20;
const PAUSES = { firstMs: 5000, maxMs: 10 * MINUTE_MS };

const { step, wait, machine } = machineOf<Ramp>();

/**
 * From a currency to USDC on the chain, and on to another currency: the price is held first; then USDC is minted,
 * and burnt again where the order goes on. Minted USDC is burnt, however long that takes, so that nothing has to be
 * undone on the chain; a later failure is refunded.
 */
export function rampMachines(deps: RampDeps, bank: PayoutFlow<Ramp>): RampMachines {
  const common = { ...chainStates(deps), ...bankStates(deps, bank) };
  return {
    fromWallet: machine({
      type: 'cardano-wallet',
      initial: 'mint',
      concurrency: AT_ONCE,
      states: common,
    }),
    fromCard: machine({
      type: 'cardano-card',
      initial: 'card',
      concurrency: AT_ONCE,
      states: { ...cardStates(deps), ...common },
    }),
  };
}

/** The request pulls from the card, whose number it alone has; the card network's answer signals the flow. */
const cardStates = (deps: RampDeps) => ({
  card: wait({
    wait: CARD_EVENT,
    timeoutMs: CARD_FLOW_MS,
    apply: recordPull,
    onEvent: byCard,
    onTimeout: 'ask-card',
  }),
  'ask-card': step({
    pauses: PAUSES,
    call: ({ id }) => cardFlowOutcome(deps.db, id),
    apply: recordPull,
    next: byCard,
    onRefused: 'unpaid',
  }),
  unpaid: ending<Ramp>(async (tx, { data }) => {
    const order = await failOrder(tx, data.order_id, { failure: 'CARD', forget: true });
    await requireNoCardMoney(tx, cardanoFlowId(data.order_id));
    await recordStep(tx, 'UNPAID', order);
  }),
});

const byCard = (_: unknown, pulled: CardFlowEvent | undefined): 'mint' | 'unpaid' =>
  pulled?.state === 'SETTLED' ? 'mint' : 'unpaid';

async function recordPull(
  tx: Db,
  { data }: Saga<Ramp>,
  pulled: CardFlowEvent | undefined,
): Promise<undefined> {
  if (pulled?.state !== 'SETTLED') return undefined;
  const { reference: card_reference } = pulled;
  const order = await updateOrder(tx, data.order_id, { card_reference });
  await insertSteps(tx, order, [{ step: 'CARD_IN' }]);
  return undefined;
}

const mintName = (order_id: string): string => `mint-${order_id}`;

const chainStates = ({ cardano, db }: RampDeps) => ({
  mint: step({
    pauses: PAUSES,
    async call({ data: { order_id } }) {
      const { usdc: units, to_address } = await getCardanoOrder(db, order_id);
      return cardano.send({
        reference: mintName(order_id),
        kind: 'mint',
        units,
        to: to_address ?? undefined,
        async permit(tx) {
          if (!(await lockIfOpen(tx, order_id))) throw new LostAttempt(order_id);
        },
      });
    },
    apply: (tx, { data }, result) => minted(tx, data, result),
    next: ({ data }) => (data.target === 'ADDRESS' ? 'done' : 'burn'),
    onRefused: 'unminted',
  }),
  burn: step({
    pauses: PAUSES,
    async call({ data }) {
      const { usdc: units } = await getCardanoOrder(db, data.order_id);
      const burnt = await cardano.send({ reference: `burn-${data.order_id}`, kind: 'burn', units });
      // It cannot be left, and the treasury can pay for it later.
      return burnt.kind === 'refused' ? unknown(burnt.message) : burnt;
    },
    apply: (tx, { data }, result) => burnt(tx, data, result),
    next: ({ data }) => (data.target === 'BANK' && !data.simulated ? 'payout' : 'done'),
    onRefused: 'burn',
  }),
  done: ending<Ramp>(async (tx, { data }) => {
    const order = await updateOrder(tx, data.order_id, { status: 'DONE' });
    await recordStep(tx, 'DONE', order);
  }),
  unminted: ending<Ramp>(async (tx, { data }) => {
    const end = { failure: 'UNMINTED', given_back: 'WALLET', forget: true } as const;
    const order = await failOrder(tx, data.order_id, end);
    // Another attempt may have signed since the treasury refused this one for want of money.
    if (await cardano.mayHappen(tx, mintName(data.order_id)))
      throw new LostAttempt(`${mintName(data.order_id)} is signed`);
    await recordStep(tx, 'GIVEN_BACK', order);
    await bookRelease(tx, order);
  }),
});

async function minted(tx: Db, { order_id }: Ramp, result: Done): Promise<undefined> {
  const { hash: mint_hash, fee, sent } = result;
  const order = await updateOrder(tx, order_id, { mint_hash, cost: fee + sent });
  const paid = order.source === 'WALLET' ? [{ step: 'WALLET_OUT' } as const] : [];
  await insertSteps(tx, order, [...paid, { step: 'MINT', tx_hash: mint_hash }]);
  await addVolume(tx, order);
  await recordStep(tx, 'MINTED', order, { details: { mint_hash } });
  await bookMint(tx, order, result);
  return undefined;
}

async function burnt(tx: Db, { order_id, target, simulated }: Ramp, result: Done) {
  const { hash: burn_hash, fee, sent } = result;
  const order = await updateOrder(tx, order_id, { burn_hash, cost: fee + sent });
  const status = target === 'BANK' && !simulated ? 'PENDING' : 'SUCCESS_RECEIVED';
  await insertSteps(tx, order, [
    { step: 'BURN', tx_hash: burn_hash },
    { step: target === 'BANK' ? 'BANK_OUT' : 'WALLET_IN', status },
  ]);
  await recordStep(tx, 'BURNT', order, { details: { burn_hash } });
  await bookBurn(tx, order, result);
  return undefined;
}
