import type { Fiat, FiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Outcome } from '#kernel/effects/outcome.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import type { Money } from '#kernel/money/money.ts';
import type {
  Card,
  CardNetwork,
  CardNetworkMovement,
  Trace,
} from '#providers/card-network/port.ts';
import type { Shares } from './fee.ts';
import type { CardKind, CardTransaction } from './store.ts';

interface Person {
  readonly user_id: number;
  readonly client_id: number;
}

/** Money that a caller wants moved between a card and a wallet: all of it but the card itself. */
export interface CardOrder {
  readonly operation: string;
  readonly type: CardKind;
  /** From where it was asked for, for the audit. */
  readonly request?: RequestFacts;
  readonly actor: Person;
  /** Whose wallet it is. */
  readonly owner: Person;
  readonly wallet: Pick<FiatWallet, 'wallet_id' | 'account_id'>;
  readonly money: Money<Fiat>;
  readonly shares: Shares;
  readonly original?: CardTransaction;
  readonly recipientName?: string;
  /** The flow that waits for it, and that all of the money is for. */
  readonly flow?: string;
  /** Throws where the flow wants it no more; last in the transaction that stores it, before the ledger. */
  readonly permit?: (tx: Db) => Promise<void>;
}

/** What the network and our callers know a transaction by. */
export interface CardReferences {
  readonly trace: Trace;
  readonly reference: string;
}

/** What the network is asked to do, and under which name. */
export interface Instruction extends CardReferences {
  readonly type: CardKind;
  readonly money: Money<Fiat>;
  readonly recipientName?: string | null | undefined;
  readonly original?: CardTransaction | undefined;
}

/** The call to the network. The card goes along and is kept nowhere. */
export function instruct(
  network: CardNetwork,
  { type, money, recipientName, original, trace, reference }: Instruction,
  card: Card,
): Promise<Outcome<CardNetworkMovement>> {
  const charge = { trace, card, money };
  if (type === 'TOPUP') return network.pull(charge);
  if (type === 'PUSH')
    return network.push({ ...charge, reference, recipientName: recipientName ?? '' });
  if (original === undefined) throw new Error(`${reference} is the refund of nothing`);
  return network.reverse({ ...charge, original: movementOf(original) });
}

/** The name of a stored transaction at the network. */
export const traceOfRow = ({ rrn, terminal, traced_at }: CardTransaction): Trace => ({
  rrn,
  terminal,
  at: new Date(traced_at),
});

/** How the network knows the original; a settled transaction has all of it. */
const movementOf = (row: CardTransaction) => ({
  trace: traceOfRow(row),
  transactionIdentifier: row.transaction_identifier ?? '',
  approvalCode: row.approval_code ?? '',
  transmittedAt: row.transmitted_at ?? '',
});
