import type { Address } from 'viem';
import { textOf } from '../clients/answer.ts';
import { answerOf, type Books } from '../clients/books.ts';
import type { Place } from '../plan/workload.ts';

/** An amount that left a user's wallet for a receiver, by any kind of request. */
export interface Sent {
  readonly key: string;
  readonly user: number;
  readonly chain: Place;
  readonly asset: 'USDC' | 'native';
  readonly units: bigint;
  readonly to: Address;
  /** The platform's fee for it, by the answer. */
  readonly fee: string;
}

export const sentByCall = (books: Books): Sent[] =>
  books.done('send').map((entry) => ({
    ...entry.effect,
    key: entry.operation.key,
    fee: textOf(answerOf(entry), 'data.transaction.platform_fee'),
  }));
