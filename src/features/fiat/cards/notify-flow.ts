import type { Db } from '#kernel/db/db.ts';
import type { Sagas } from '#kernel/effects/saga.ts';
import type { CardTransaction } from './store.ts';

/** The event by which a flow hears what became of its pull. */
export const CARD_EVENT = 'card';

/** What became of a pull. */
export interface CardFlowEvent {
  readonly state: 'SETTLED' | 'FAILED';
  readonly reference: string;
}

/** In the transaction that ends a pull: tells the flow that waits for it, where one does. */
export type NotifyFlow = (
  tx: Db,
  row: Pick<CardTransaction, 'flow' | 'state' | 'reference_id'>,
) => Promise<void>;

export const createFlowNotifier =
  (sagas: Pick<Sagas, 'signal'>): NotifyFlow =>
  async (tx, { flow, state, reference_id: reference }) => {
    if (flow === null || state === 'PENDING') return;
    const news: CardFlowEvent = { state, reference };
    await sagas.signal(tx, flow, CARD_EVENT, reference, news);
  };
