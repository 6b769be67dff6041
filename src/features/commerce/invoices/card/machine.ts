import {
  CARD_EVENT,
  CARD_FLOW_MS,
  type CardFlowEvent,
  cardFlowOutcome,
  requireNoCardMoney,
} from '#features/fiat/cards/cards.ts';
import { ending } from '#features/ramps/ramp/ramp.ts';
import { type Machine, machineOf } from '#kernel/effects/saga-machine.ts';
import type { CardTry, InvoiceDeps, TryingDeps } from '../deps.ts';
import { bookCardMoney, failCardTry } from './book.ts';

const AT_ONCE = 20;
const PAUSES = { firstMs: 5000, maxMs: 10 * 60_000 };

const { step, wait, machine } = machineOf<CardTry>();

const byCard = (_: unknown, ended: CardFlowEvent | undefined): 'paid' | 'unpaid' =>
  ended?.state === 'SETTLED' ? 'paid' : 'unpaid';

/** How both wait for the card network: the request that has brought the card calls it, and its answer is the event. */
export const cardAnswerStates = ({ db }: Pick<InvoiceDeps, 'db'>) => ({
  card: wait({
    wait: CARD_EVENT,
    timeoutMs: CARD_FLOW_MS,
    onEvent: byCard,
    onTimeout: 'ask',
  }),
  ask: step({
    pauses: PAUSES,
    call: ({ id }) => cardFlowOutcome(db, id),
    next: byCard,
    onRefused: 'unpaid',
  }),
});

/** A payment by card, from the press of its payer until it is booked or nothing was taken. */
export const invoiceCardMachine = (
  deps: Omit<TryingDeps, 'trying' | 'paying' | 'hints'>,
): Machine<CardTry> =>
  machine({
    type: 'invoice-card',
    initial: 'card',
    concurrency: AT_ONCE,
    states: {
      ...cardAnswerStates(deps),
      paid: ending<CardTry>((tx, { id }) => bookCardMoney(deps, tx, id)),
      unpaid: ending<CardTry>(async (tx, { id }) => {
        await requireNoCardMoney(tx, id);
        await failCardTry(deps, tx, id);
      }),
    },
  });
