import type { Db } from '#kernel/db/db.ts';
import type { Sagas } from '#kernel/effects/saga.ts';
import { type FinalState, type Machine, machineOf } from '#kernel/effects/saga-machine.ts';
import type { ObjectFailure } from '#kernel/http/declare/state-fields.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import type { Logger } from '#kernel/log.ts';
import { type ObjectPrefix, uuidOfObjectId } from '#kernel/object-id.ts';
import { bankFlow } from './bank-flow.ts';
import type { PayoutOrder } from './bank-transfers.ts';
import type { PayoutPayer } from './payer.ts';
import type { PayoutFlow, PayoutMemory, PayoutNames, PayoutStates } from './states.ts';

/** Things of one kind that each pay a bank once. Their flows, and the providers, know them by their ids. */
export interface BankPayments {
  /** Of the payer, and of its reconciliation. */
  readonly name: string;
  /** Of the flow. */
  readonly type: string;
  readonly prefix: ObjectPrefix;
  readonly table: Parameters<typeof bankFlow>[1]['table'];
  /** How many of these one process pays at a time. */
  readonly concurrency: number;
  /** Whether a caller may have what a bank refused tried again. */
  readonly retryable: boolean;
  /** The same at every call. */
  orderOf(db: Db, id: string): Promise<BankOrder>;
  /** The provider has taken it, under its own id. */
  accepted(tx: Db, id: string, provider_reference: string): Promise<unknown>;
  /** The bank has the money. */
  paid(tx: Db, id: string): Promise<unknown>;
  /** The bank refused it. */
  failed(tx: Db, id: string, failure: Omit<ObjectFailure, 'at'>): Promise<unknown>;
  /** The bank has sent it back: see `PayoutPayer`. */
  returned(tx: Db, id: string, failure: string): Promise<readonly Operation[] | undefined>;
}

type BankOrder = Omit<PayoutOrder, 'reference'> & { readonly client_id: number };

interface Deps {
  readonly payouts: {
    join(payer: PayoutPayer): void;
    states<const N extends PayoutNames>(
      flow: PayoutFlow<PayoutMemory>,
      names: N,
    ): PayoutStates<PayoutMemory, N>;
  };
  readonly sagas: Pick<Sagas, 'signal'>;
  readonly log: Pick<Logger, 'warn'>;
}

const ID_MAX = 200;
const NAMES = { pay: 'pay', wait: 'wait', ask: 'ask', paid: 'paid', failed: 'failed' } as const;

/**
 * The one flow of things that pay a bank and do nothing else: asked for, awaited; then paid, or failed. Its payer
 * joins the payouts.
 */
export function bankPayments(
  deps: Deps,
  kind: BankPayments,
): { readonly payer: PayoutPayer; readonly machine: Machine<PayoutMemory> } {
  const { payouts } = deps;
  const flow = flowOf(deps, kind);
  payouts.join(flow.payer);
  const { machine } = machineOf<PayoutMemory>();
  const { type, concurrency } = kind;
  const states = {
    ...payouts.states(flow, NAMES),
    paid: ending((tx, id) => kind.paid(tx, id)),
    failed: ending((tx, id, data) => refused(deps, kind, tx, { id, ...data })),
  };
  return { payer: flow.payer, machine: machine({ type, concurrency, initial: 'pay', states }) };
}

const flowOf = (
  { sagas }: Deps,
  { name, table, prefix, concurrency, orderOf, accepted, returned }: BankPayments,
): PayoutFlow<PayoutMemory> & { readonly payer: PayoutPayer } =>
  bankFlow<PayoutMemory>(sagas, {
    name,
    rail: name,
    table,
    concurrency,
    event: 'payout',
    flowOf: (reference) =>
      uuidOfObjectId(prefix, reference) === undefined ? undefined : reference,
    requestOf: async (db, { id: reference }) => ({ reference, ...(await orderOf(db, reference)) }),
    accepted: (tx, { id }, answer) => accepted(tx, id, answer.id.slice(0, ID_MAX)),
    bookReturn: returned,
  });

const ending = (
  book: (tx: Db, id: string, data: PayoutMemory) => Promise<unknown>,
): FinalState<PayoutMemory> => ({
  final: true,
  async enter(tx, { id, data }) {
    await book(tx, id, data);
    return undefined;
  },
});

function refused(
  { log }: Deps,
  { type, retryable, failed }: BankPayments,
  tx: Db,
  { id, failure: provider_code }: { readonly id: string } & Pick<PayoutMemory, 'failure'>,
): Promise<unknown> {
  log.warn({ reference: id, type, failure: provider_code }, 'A bank could not be paid');
  return failed(tx, id, {
    code: 'PROVIDER_REJECTED',
    message: 'The bank did not pay it',
    retryable,
    ...(provider_code !== undefined && { provider_code }),
  });
}
