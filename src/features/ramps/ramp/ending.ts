import type { Db } from '#kernel/db/db.ts';
import type { FinalState, Saga } from '#kernel/effects/saga-machine.ts';

/** A final state, with what is booked in the transaction that reaches it. */
export const ending = <D>(book: (tx: Db, saga: Saga<D>) => Promise<unknown>): FinalState<D> => ({
  final: true,
  async enter(tx, saga) {
    await book(tx, saga);
    return undefined;
  },
});
