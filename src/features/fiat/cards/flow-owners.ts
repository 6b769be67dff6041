import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import type { CardTransaction } from './store.ts';

/** What the network has taken back of a flow's transaction before, and by now. */
export interface CardFlowReturn {
  readonly row: CardTransaction;
  readonly before: bigint;
  readonly now: bigint;
}

/** A feature that goes by what the network takes back of its transactions. */
export interface CardFlowOwner {
  readonly owns: (flow: string) => boolean;
  /** The house's account for what a wallet cannot pay of a charge-back. */
  readonly owedTo: (tx: Db, currency: Fiat) => Promise<number>;
  /** In the transaction that books it. Answers postings that come before that of the return. */
  readonly returned: (tx: Db, change: CardFlowReturn) => Promise<readonly Operation[]>;
}

export interface CardFlowOwners {
  /** Before the service starts. */
  readonly join: (owner: CardFlowOwner) => void;
  /** Of a transaction, where there is one. */
  readonly of: (row: Pick<CardTransaction, 'flow'>) => CardFlowOwner | undefined;
}

export function createFlowOwners(): CardFlowOwners {
  const all: CardFlowOwner[] = [];
  return {
    join: (owner) => void all.push(owner),
    of: ({ flow }) => (flow === null ? undefined : all.find(({ owns }) => owns(flow))),
  };
}
