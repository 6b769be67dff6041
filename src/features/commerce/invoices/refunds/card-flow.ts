import { type CardFlowOwner, requireNoCardMoney } from '#features/fiat/cards/cards.ts';
import { ending } from '#features/ramps/ramp/ramp.ts';
import { type Machine, machineOf } from '#kernel/effects/saga-machine.ts';
import { cardAnswerStates } from '../card/machine.ts';
import type { CardTry, InvoiceDeps } from '../deps.ts';
import { invoiceHouse } from '../postings.ts';
import { completeInvoiceRefund, failInvoiceRefund, returnInvoiceRefund } from './end.ts';
import { isRefundReference } from './flow.ts';

type Deps = Pick<InvoiceDeps, 'clock' | 'db'>;

const { machine } = machineOf<CardTry>();

const REFUSED = {
  code: 'PROVIDER_REJECTED',
  message: 'The card network did not take it',
  retryable: true,
};

/** A refund whose payer has brought the card: the request that has it calls the network, whose answer ends it. */
export const invoiceCardRefundMachine = (deps: Deps): Machine<CardTry> =>
  machine({
    type: 'invoice-card-refund',
    initial: 'card',
    concurrency: 8,
    states: {
      ...cardAnswerStates(deps),
      paid: ending<CardTry>((tx, { id }) => completeInvoiceRefund(tx, id)),
      unpaid: ending<CardTry>(async (tx, { id }) => {
        await requireNoCardMoney(tx, id);
        const failing = { from: 'PENDING', failure: REFUSED } as const;
        if (!(await failInvoiceRefund(deps, tx, id, failing)))
          throw new Error(`${id} is not on its way`);
      }),
    },
  });

/** A refund that the card network sends back is in the wallet again. */
export const cardRefundOwner = (deps: Pick<InvoiceDeps, 'clock'>): CardFlowOwner => ({
  owns: isRefundReference,
  owedTo: (tx, currency) => invoiceHouse(tx, 'owed', currency),
  async returned(tx, { row, before, now }) {
    if (now > before) await returnInvoiceRefund(deps, tx, row.flow ?? '', 'CARD_RETURNED');
    return [];
  },
});
