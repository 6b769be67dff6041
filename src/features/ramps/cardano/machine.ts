import type { Done } from '#chains/cardano/port.ts';
import { CARD_EVENT, type CardFlowEvent } from '#features/fiat/cards/cards.ts';
import type { Db } from '#kernel/db/db.ts';
import { LostAttempt } from '#kernel/effects/effect.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import {
  defineMachine,
  type Machine,
  type Saga,
  type State,
} from '#kernel/effects/saga-machine.ts';
import { noteEvent } from './audit.ts';
import { bookBurn, bookMint, bookRelease } from './booking.ts';
import type { Ramp, RampDeps, RampMachines } from './deps.ts';
import { bankStates } from './payout.ts';
import { addVolume, insertSteps } from './step-store.ts';
import { cardanoFlowId, failOrder, getCardanoOrder, holdOpen, noteOrder } from './store.ts';

const MINUTE_MS = 60_000;
/** By then the card network has said what became of a pull, or has never seen it. */
const CARD_MS = 20 * MINUTE_MS;
const AT_ONCE = 20;
const PAUSES = { firstMs: 5000, maxMs: 10 * MINUTE_MS };

type States = Readonly<Record<string, State<Ramp>>>;

/**
 * From a currency to USDC on the chain, and on to another currency: what pays is set aside first; then
 * USDC is minted, and burnt again where it goes on. What is minted is burnt, however long that takes, so
 * that nothing has to be undone on the chain; what is undone later is paid back.
 */
export function rampMachines(deps: RampDeps): RampMachines {
  const common: States = { ...chainStates(deps), ...bankStates(deps) };
  const defined = (type: string, initial: string, states: States): Machine<Ramp> =>
    defineMachine<Ramp>({ type, initial, concurrency: AT_ONCE, states });
  return {
    fromWallet: defined('cardano-wallet', 'mint', common),
    fromCard: defined('cardano-card', 'card', { ...cardStates(deps), ...common }),
  };
}

/** The request pulls from the card, which nobody else has; the flow hears what became of it. */
const cardStates = (deps: RampDeps): States => ({
  card: {
    wait: CARD_EVENT,
    timeoutMs: CARD_MS,
    apply: noteCard,
    onEvent: byCard,
    onTimeout: 'ask-card',
  },
  'ask-card': {
    pauses: PAUSES,
    call: ({ id }) => askCard(deps, id),
    apply: noteCard,
    next: byCard,
    onRefused: 'unpaid',
  },
  unpaid: {
    final: true,
    async enter(tx, { data }) {
      const order = await failOrder(tx, data.order_id, { failure: 'CARD', forget: true });
      await mustBeUnpaid(deps, tx, data.order_id);
      await noteEvent(tx, 'UNPAID', order);
      return undefined;
    },
  },
});

const byCard = (_: unknown, news: Pick<CardFlowEvent, 'state'> | undefined): string =>
  news?.state === 'SETTLED' ? 'mint' : 'unpaid';

async function noteCard(tx: Db, { data }: Saga<Ramp>, news: unknown): Promise<undefined> {
  const told = news as CardFlowEvent | undefined;
  if (told?.state !== 'SETTLED') return undefined;
  const { reference: card_reference } = told;
  const order = await noteOrder(tx, data.order_id, { card_reference });
  await insertSteps(tx, order, [{ step: 'CARD_IN' }]);
  return undefined;
}

async function askCard({ cards, db }: RampDeps, flow: string): Promise<Outcome<CardFlowEvent>> {
  const pulled = await cards.find(db, flow);
  // The request that would have asked has long ended.
  if (!pulled) return refused('NOT_PULLED', 'Nothing was taken from the card');
  const { state, reference_id: reference } = pulled;
  return state === 'PENDING'
    ? unknown('The card network has not said')
    : done({ state, reference });
}

/** A repeated request may have pulled since that was asked: then the flow asks once more. */
async function mustBeUnpaid({ cards }: RampDeps, tx: Db, order_id: string): Promise<void> {
  const pulled = await cards.find(tx, cardanoFlowId(order_id));
  if (pulled && pulled.state !== 'FAILED')
    throw new Error(`${pulled.reference_id} was pulled for ${order_id} meanwhile`);
}

const mintName = (order_id: string): string => `mint-${order_id}`;

const chainStates = ({ cardano, db }: RampDeps): States => ({
  mint: {
    pauses: PAUSES,
    async call({ data: { order_id } }) {
      const { usdc: units, to_address } = await getCardanoOrder(db, order_id);
      return cardano.send({
        reference: mintName(order_id),
        kind: 'mint',
        units,
        to: to_address ?? undefined,
        async permit(tx) {
          if (!(await holdOpen(tx, order_id))) throw new LostAttempt(order_id);
        },
      });
    },
    apply: (tx, { data }, result) => minted(tx, data, result as Done),
    next: ({ data }) => (data.target === 'ADDRESS' ? 'done' : 'burn'),
    onRefused: 'unminted',
  },
  burn: {
    pauses: PAUSES,
    async call({ data }) {
      const { usdc: units } = await getCardanoOrder(db, data.order_id);
      const burnt = await cardano.send({ reference: `burn-${data.order_id}`, kind: 'burn', units });
      // Until the treasury can pay for it: it cannot be left, and there is nothing else to do.
      return burnt.kind === 'refused' ? unknown(burnt.message) : burnt;
    },
    apply: (tx, { data }, result) => burnt(tx, data, result as Done),
    next: ({ data }) => (data.target === 'BANK' && !data.simulated ? 'payout' : 'done'),
    onRefused: 'burn',
  },
  done: {
    final: true,
    async enter(tx, { data }) {
      const order = await noteOrder(tx, data.order_id, { status: 'DONE' });
      await noteEvent(tx, 'DONE', order);
      return undefined;
    },
  },
  unminted: {
    final: true,
    async enter(tx, { data }) {
      const end = { failure: 'UNMINTED', given_back: 'WALLET', forget: true } as const;
      const order = await failOrder(tx, data.order_id, end);
      // Another attempt may have signed since this one was told that the treasury cannot pay.
      if (await cardano.mayHappen(tx, mintName(data.order_id)))
        throw new LostAttempt(`${mintName(data.order_id)} is signed`);
      await noteEvent(tx, 'GIVEN_BACK', order);
      await bookRelease(tx, order);
      return undefined;
    },
  },
});

async function minted(tx: Db, { order_id }: Ramp, result: Done): Promise<undefined> {
  const { hash: mint_hash, fee, sent } = result;
  const order = await noteOrder(tx, order_id, { mint_hash, cost: fee + sent });
  const paid = order.source === 'WALLET' ? [{ step: 'WALLET_OUT' } as const] : [];
  await insertSteps(tx, order, [...paid, { step: 'MINT', tx_hash: mint_hash }]);
  await addVolume(tx, order);
  await noteEvent(tx, 'MINTED', order, { details: { mint_hash } });
  await bookMint(tx, order, result);
  return undefined;
}

async function burnt(tx: Db, { order_id, target, simulated }: Ramp, result: Done) {
  const { hash: burn_hash, fee, sent } = result;
  const order = await noteOrder(tx, order_id, { burn_hash, cost: fee + sent });
  const status = target === 'BANK' && !simulated ? 'PENDING' : 'SUCCESS_RECEIVED';
  await insertSteps(tx, order, [
    { step: 'BURN', tx_hash: burn_hash },
    { step: target === 'BANK' ? 'BANK_OUT' : 'WALLET_IN', status },
  ]);
  await noteEvent(tx, 'BURNT', order, { details: { burn_hash } });
  await bookBurn(tx, order, result);
  return undefined;
}
