import type { Db } from '#kernel/db/db.ts';
import { type Outcome, unknown } from '#kernel/effects/outcome.ts';
import { machineOf, type Saga, type StateTo } from '#kernel/effects/saga-machine.ts';
import type { PayoutOrder } from './bank-transfers.ts';
import {
  lookUpPayout,
  type PayoutAnswer,
  type PayoutCalls,
  requestPayout,
} from './gateway-calls.ts';
import type { BookPaid } from './paid.ts';
import type { PayoutPayer, PayoutResult } from './payer.ts';
import { findPayoutRow, insertPayouts, movePayouts } from './payout-store.ts';

/** A flow's data about its pay-out. */
export interface PayoutMemory {
  /** How many waits ended without a call-back. */
  readonly asked?: number;
  /** Why it failed. */
  readonly failure?: string;
}

/** What a flow calls the states of its pay-out. */
export interface PayoutNames {
  readonly pay: string;
  readonly wait: string;
  readonly ask: string;
  /** The flow's own states, which follow. */
  readonly paid: string;
  readonly failed: string;
}

export type PayoutStates<D, N extends PayoutNames> = Record<
  N['pay' | 'wait' | 'ask'],
  StateTo<D, N['wait' | 'ask' | 'paid' | 'failed']>
>;

/** A flow's pay-out: its request, and what it does with the answers. */
export interface PayoutFlow<D extends PayoutMemory> {
  readonly payer: Pick<PayoutPayer, 'name' | 'transfers'>;
  /** How many requests of these one process makes at a time. */
  readonly concurrency?: number;
  /** The event that the flow waits for. */
  readonly event: string;
  /** The same at every call. */
  requestOf(db: Db, saga: Saga<D>): Promise<PayoutOrder & { readonly client_id: number }>;
  /** In the transaction before the request to the gateway. */
  enter?(tx: Db, saga: Saga<D>): Promise<Partial<D> | undefined>;
  /** The gateway has accepted the pay-out. */
  accepted?(tx: Db, saga: Saga<D>, answer: PayoutAnswer): Promise<unknown>;
}

interface Deps extends PayoutCalls {
  readonly bookPaid: BookPaid;
}

const MINUTE_MS = 60_000;
const PAUSES = { firstMs: 5000, maxMs: 10 * MINUTE_MS };
const PATIENCE_MAX_MS = 60 * MINUTE_MS;
const ASKED_MAX = 10;

/**
 * Three states of a flow: it requests a pay-out, waits for the call-back, and polls where none comes. The flow's own
 * states follow: `paid` or `failed`.
 */
export function payoutStates<D extends PayoutMemory, const N extends PayoutNames>(
  deps: Deps,
  flow: PayoutFlow<D>,
  names: N,
): PayoutStates<D, N> {
  const { step, wait } = machineOf<D>();
  const stateAfter = (
    _: unknown,
    answer: { readonly status?: PayoutAnswer['status'] } | undefined,
  ): N['wait' | 'ask' | 'paid' | 'failed'] =>
    ({ PENDING: names.wait, COMPLETED: names.paid, FAILED: names.failed, NONE: names.ask })[
      answer?.status ?? 'NONE'
    ];
  const { concurrency } = flow;
  const pay = step({
    pauses: PAUSES,
    ...(concurrency !== undefined && { concurrency }),
    async enter(tx, saga) {
      const patch = await flow.enter?.(tx, saga);
      const { reference, units, asset, client_id } = await flow.requestOf(tx, saga);
      await insertPayouts(tx, [{ reference, units, asset, client_id, payer: flow.payer.name }]);
      return patch;
    },
    call: async (saga) => requestPayout(deps, await flow.requestOf(deps.db, saga), flow.payer),
    lookUp: (saga) => lookUp(deps, flow, saga),
    async apply(tx, saga, answer) {
      if (answer.id !== '') await flow.accepted?.(tx, saga, answer);
      return record(deps, tx, { flow, saga, answer });
    },
    next: stateAfter,
    onRefused: names.failed,
  });
  const waiting = wait({
    wait: flow.event,
    timeoutMs: ({ data }) => Math.min(MINUTE_MS * 2 ** (data.asked ?? 0), PATIENCE_MAX_MS),
    async apply(tx, saga, result: Partial<PayoutResult> | undefined) {
      if (result?.status === undefined) return waited(saga);
      const { status, failure } = result;
      return record(deps, tx, { flow, saga, answer: { id: '', status, ...code(failure) } });
    },
    onEvent: stateAfter,
    onTimeout: names.ask,
  });
  const ask = step({
    pauses: PAUSES,
    call: (saga) => requireKnown(lookUp(deps, flow, saga)),
    apply: (tx, saga, answer) => record(deps, tx, { flow, saga, answer }),
    next: stateAfter,
    onRefused: names.wait,
  });
  const states = { [names.pay]: pay, [names.wait]: waiting, [names.ask]: ask };
  return states as PayoutStates<D, N>;
}

const code = (failureCode: string | undefined) =>
  failureCode === undefined ? {} : { failureCode };

const waited = <D extends PayoutMemory>({ data }: Saga<D>): Partial<D> =>
  ({ asked: Math.min((data.asked ?? 0) + 1, ASKED_MAX) }) as Partial<D>;

async function lookUp<D extends PayoutMemory>(deps: Deps, flow: PayoutFlow<D>, saga: Saga<D>) {
  const { reference } = await flow.requestOf(deps.db, saga);
  const payout = await findPayoutRow(deps.db, reference);
  if (!payout) throw new Error(`The pay-out ${reference} was not recorded`);
  return lookUpPayout(deps, flow.payer, payout);
}

/** The gateway has accepted it: where the gateway does not find it the flow polls again. */
async function requireKnown(
  answer: Promise<Outcome<PayoutAnswer | undefined>>,
): Promise<Outcome<PayoutAnswer>> {
  const found = await answer;
  if (found.kind === 'refused') return unknown(found.message);
  if (found.kind === 'done' && found.value === undefined)
    return unknown('The gateway knows nothing of the pay-out');
  return found as Outcome<PayoutAnswer>;
}

interface Answered<D extends PayoutMemory> {
  readonly flow: PayoutFlow<D>;
  readonly saga: Saga<D>;
  readonly answer: PayoutAnswer;
}

/** Records the state of the pay-out. */
async function record<D extends PayoutMemory>(
  deps: Deps,
  tx: Db,
  { flow, saga, answer }: Answered<D>,
) {
  const { reference } = await flow.requestOf(tx, saga);
  const { id: gatewayId, status, failureCode: failure } = answer;
  const known = { gatewayId, failure };
  if (status === 'COMPLETED') await deps.bookPaid(tx, [reference], known);
  else await movePayouts(tx, [reference], status === 'PENDING' ? 'SENT' : 'FAILED', known);
  return (failure === undefined ? {} : { failure }) as Partial<D>;
}
