import type { Db } from '#kernel/db/db.ts';
import { type Outcome, unknown } from '#kernel/effects/outcome.ts';
import { defineMachine, type Machine } from '#kernel/effects/saga-machine.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { noteStep } from './audit.ts';
import type { IdrBase, Offramp } from './deps.ts';
import { tellPayout } from './events.ts';
import { paidOutOperation } from './legs.ts';
import { isOfficeOpen, untilOffice } from './office-hours.ts';
import { findPayout, type PayingOut, requestPayout } from './payments.ts';
import { markCompleted, markProcessing, markRedeemFailed } from './redeem-store.ts';

/** What the gateway, or in mock mode a caller, has said of a pay-out. */
export interface PayoutWord {
  readonly status: 'COMPLETED' | 'FAILED';
  readonly failure?: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const AT_ONCE = 10;
const PAUSES = { firstMs: 5000, maxMs: 10 * MINUTE_MS };

/** Where a pay-out leads. */
const after = (_: unknown, { status }: Pick<PayingOut, 'status'>): string =>
  ({ PENDING: 'sent', COMPLETED: 'paid', FAILED: 'failed' })[status];

/**
 * A redemption (contract part 3, States: off-ramp): the tokens are burnt, the money goes to the bank.
 * The gateway calls back; where it does not it is asked every hour. What has failed stays set aside
 * until an admin refunds it.
 */
export const offrampMachine = (deps: IdrBase): Machine<Offramp> =>
  defineMachine<Offramp>({
    type: 'idr-offramp',
    initial: 'begin',
    concurrency: AT_ONCE,
    states: {
      begin: {
        next: ({ data }) =>
          data.waitsForOffice && !isOfficeOpen(deps.clock.now()) ? 'closed' : 'send',
      },
      closed: {
        wait: 'nothing',
        timeoutMs: () => untilOffice(deps.clock.now()),
        onEvent: 'begin',
        // It may be late by then, such as after a time without a process.
        onTimeout: 'begin',
      },
      send: {
        pauses: PAUSES,
        call: ({ id }) => requestPayout(deps, id),
        lookUp: ({ id }) => findPayout(deps, id),
        apply: (tx, { id }, paying) => keepPayout(deps, tx, id, paying as PayingOut),
        next: after,
        onRefused: 'failed',
      },
      sent: {
        wait: 'told',
        timeoutMs: HOUR_MS,
        apply: async (_, __, word) => whyOf((word as PayoutWord | undefined)?.failure),
        onEvent: after,
        onTimeout: 'ask',
      },
      ask: {
        pauses: PAUSES,
        call: ({ id }) => askAgain(deps, id),
        apply: async (_, __, paying) => whyOf((paying as PayingOut).failureCode),
        next: after,
        onRefused: 'sent',
      },
      paid: { final: true, enter: (tx, { id }) => complete(deps, tx, id) },
      failed: { final: true, enter: (tx, { id, data }) => failTransfer(deps, tx, id, data) },
    },
  });

const whyOf = (failure: string | undefined): Partial<Offramp> =>
  failure === undefined ? {} : { failure };

/** It was sent, so that a gateway that knows nothing of it has to be asked again. */
async function askAgain(deps: IdrBase, id: string): Promise<Outcome<PayingOut>> {
  const found = await findPayout(deps, id);
  if (found.kind === 'refused') return unknown(found.message);
  if (found.kind === 'done' && found.value === undefined)
    return unknown('The gateway knows nothing of the pay-out');
  return found as Outcome<PayingOut>;
}

/** The gateway has it from here on; one that it refused never was on its way. */
async function keepPayout({ clock }: IdrBase, tx: Db, reference: string, paying: PayingOut) {
  const { id, failureCode } = paying;
  if (id !== '') {
    const redeem = await markProcessing(tx, reference, id, clock.now());
    await noteStep(tx, 'IDR_OFFRAMP_PROCESSING', redeem);
    tellPayout(tx, 'processing', redeem);
  }
  return whyOf(failureCode);
}

async function complete(deps: IdrBase, tx: Db, id: string): Promise<undefined> {
  const { clock, accounts, gateway } = deps;
  const redeem = await markCompleted(tx, id, clock.now());
  await noteStep(tx, 'IDR_OFFRAMP_COMPLETED', redeem);
  tellPayout(tx, 'succeeded', redeem);
  const taken = { byGateway: gateway.issuesToken };
  await postWithin(tx, paidOutOperation(redeem, await accounts(), taken));
}

async function failTransfer({ clock, log }: IdrBase, tx: Db, id: string, data: Offramp) {
  const failure = data.failure ?? 'The gateway refused the pay-out';
  const redeem = await markRedeemFailed(tx, id, failure, clock.now());
  log.warn({ reference: id, failure }, 'A redemption could not be paid out');
  await noteStep(tx, 'IDR_OFFRAMP_FAILED', redeem, { failure });
  tellPayout(tx, 'failed', redeem);
  return undefined;
}
