import type { Db } from '#kernel/db/db.ts';
import type { Sagas } from '#kernel/effects/saga.ts';
import type { CardTransaction } from './store.ts';

/** The event by which a flow hears what became of its pull. */
export const CARD_EVENT = 'card';

/** What became of a pull. */
export interface CardNews {
  readonly state: 'SETTLED' | 'FAILED';
  readonly reference: string;
}

/** In the transaction that ends a pull: tells the flow that waits for it, where one does. */
export type TellFlow = (
  tx: Db,
  row: Pick<CardTransaction, 'flow' | 'state' | 'reference_id'>,
) => Promise<void>;

export const flowTeller =
  (sagas: Pick<Sagas, 'signal'>): TellFlow =>
  async (tx, { flow, state, reference_id: reference }) => {
    if (flow === null || state === 'PENDING') return;
    const news: CardNews = { state, reference };
    await sagas.signal(tx, flow, CARD_EVENT, reference, news);
  };
