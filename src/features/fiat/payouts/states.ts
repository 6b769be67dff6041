import type { Db } from '#kernel/db/db.ts';
import { type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Saga, State } from '#kernel/effects/saga-machine.ts';
import type { PayoutRequest } from '#providers/gateway/port.ts';
import { askForPayout, type GatewayCalls, lookUpPayout, type PayoutTold } from './gateway-calls.ts';
import type { BookPaid } from './paid.ts';
import type { PayoutPayer, PayoutWord } from './payer.ts';
import { findPayoutRow, insertPayouts, movePayouts } from './payout-store.ts';

/** What a flow remembers of its pay-out. */
export interface PayoutMemory {
  /** How often nobody has called back in time. */
  readonly asked?: number;
  /** Why it failed. */
  readonly failure?: string;
}

/** A flow's pay-out: how its states are called, what it asks for, and what it does then. */
export interface PayoutFlow<D extends PayoutMemory> {
  readonly payer: Pick<PayoutPayer, 'name' | 'transfers'>;
  readonly names: {
    readonly pay: string;
    readonly wait: string;
    readonly ask: string;
    /** Where the flow's own states go on. */
    readonly paid: string;
    readonly failed: string;
  };
  /** What the flow waits for by this name. */
  readonly event: string;
  /** The same whenever it is asked. */
  wish(db: Db, saga: Saga<D>): Promise<PayoutRequest & { readonly client_id: number }>;
  /** In the transaction after which the gateway may be asked. */
  enter?(tx: Db, saga: Saga<D>): Promise<Partial<D> | undefined>;
  /** The gateway has it from here on. */
  sent?(tx: Db, saga: Saga<D>, told: PayoutTold): Promise<unknown>;
}

interface Deps extends GatewayCalls {
  readonly bookPaid: BookPaid;
}

const MINUTE_MS = 60_000;
const PAUSES = { firstMs: 5000, maxMs: 10 * MINUTE_MS };
const PATIENCE_MAX_MS = 60 * MINUTE_MS;
const ASKED_MAX = 10;

/**
 * Three states of a flow: the gateway is asked for a pay-out, waited for, and asked what became of it
 * where it does not call back. What follows is the flow's: `paid` or `failed`.
 */
export function payoutStates<D extends PayoutMemory>(
  deps: Deps,
  flow: PayoutFlow<D>,
): Record<string, State<D>> {
  const { names, event } = flow;
  const leads = (_: unknown, told: { readonly status?: PayoutTold['status'] } | undefined) =>
    ({ PENDING: names.wait, COMPLETED: names.paid, FAILED: names.failed, NEWS: names.ask })[
      told?.status ?? 'NEWS'
    ];
  const pay: State<D> = {
    pauses: PAUSES,
    async enter(tx, saga) {
      const patch = await flow.enter?.(tx, saga);
      const { reference, units, client_id } = await flow.wish(tx, saga);
      await insertPayouts(tx, [{ reference, units, client_id, payer: flow.payer.name }]);
      return patch;
    },
    call: async (saga) => askForPayout(deps, await flow.wish(deps.db, saga), flow.payer),
    lookUp: (saga) => lookUp(deps, flow, saga),
    async apply(tx, saga, result) {
      const told = result as PayoutTold;
      if (told.id !== '') await flow.sent?.(tx, saga, told);
      return note(deps, tx, { flow, saga, told });
    },
    next: leads,
    onRefused: names.failed,
  };
  const wait: State<D> = {
    wait: event,
    timeoutMs: ({ data }) => Math.min(MINUTE_MS * 2 ** (data.asked ?? 0), PATIENCE_MAX_MS),
    async apply(tx, saga, heard) {
      const word = heard as Partial<PayoutWord> | undefined;
      if (word?.status === undefined) return waited(saga);
      const { status, failure } = word;
      return note(deps, tx, { flow, saga, told: { id: '', status, ...code(failure) } });
    },
    onEvent: leads,
    onTimeout: names.ask,
  };
  const ask: State<D> = {
    pauses: PAUSES,
    call: (saga) => mustKnow(lookUp(deps, flow, saga)),
    apply: (tx, saga, told) => note(deps, tx, { flow, saga, told: told as PayoutTold }),
    next: leads,
    onRefused: names.wait,
  };
  return { [names.pay]: pay, [names.wait]: wait, [names.ask]: ask };
}

const code = (failureCode: string | undefined) =>
  failureCode === undefined ? {} : { failureCode };

const waited = <D extends PayoutMemory>({ data }: Saga<D>): Partial<D> =>
  ({ asked: Math.min((data.asked ?? 0) + 1, ASKED_MAX) }) as Partial<D>;

async function lookUp<D extends PayoutMemory>(deps: Deps, flow: PayoutFlow<D>, saga: Saga<D>) {
  const { reference } = await flow.wish(deps.db, saga);
  const payout = await findPayoutRow(deps.db, reference);
  if (!payout) throw new Error(`The pay-out ${reference} was not written down`);
  return lookUpPayout(deps, flow.payer, payout);
}

/** It was sent, so that a gateway that knows nothing of it has to be asked again. */
async function mustKnow(
  asked: Promise<Outcome<PayoutTold | undefined>>,
): Promise<Outcome<PayoutTold>> {
  const found = await asked;
  if (found.kind === 'refused') return unknown(found.message);
  if (found.kind === 'done' && found.value === undefined)
    return unknown('The gateway knows nothing of the pay-out');
  return found as Outcome<PayoutTold>;
}

interface Noted<D extends PayoutMemory> {
  readonly flow: PayoutFlow<D>;
  readonly saga: Saga<D>;
  readonly told: PayoutTold;
}

/** Writes down how it stands. */
async function note<D extends PayoutMemory>(deps: Deps, tx: Db, { flow, saga, told }: Noted<D>) {
  const { reference } = await flow.wish(tx, saga);
  const { id: gatewayId, status, failureCode: failure } = told;
  const known = { gatewayId, failure };
  if (status === 'COMPLETED') await deps.bookPaid(tx, [reference], known);
  else await movePayouts(tx, [reference], status === 'PENDING' ? 'SENT' : 'FAILED', known);
  return (failure === undefined ? {} : { failure }) as Partial<D>;
}
