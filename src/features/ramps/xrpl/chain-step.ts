import type { XrplNetwork, XrplTransaction } from '#chains/xrpl/port.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Saga, StepState } from '#kernel/effects/saga-machine.ts';
import { markSeen } from './store.ts';

export type XrplPayments = Pick<XrplNetwork, 'pay' | 'findPayment'>;
type Payment = Omit<Parameters<XrplNetwork['pay']>[0], 'reference'>;

/** A payment on the ledger under the key of its step, by which it is found again. */
export const payStep = <D>(
  xrpl: XrplPayments,
  paymentOf: (saga: Saga<D>) => Payment,
): Required<Pick<StepState<D, XrplTransaction>, 'call' | 'lookUp'>> => ({
  call: (saga, { key }) => xrpl.pay({ reference: key, ...paymentOf(saga) }),
  lookUp: (_, { key }) => xrpl.findPayment(key),
});

/** Keeps the payment that the record is about. */
export const keepPayment = async (
  tx: Db,
  { id }: Pick<Saga, 'id'>,
  { hash, response }: XrplTransaction,
): Promise<{ hash: string }> => {
  await markSeen(tx, id, { tx_hash: hash, raw_response: response });
  return { hash };
};
