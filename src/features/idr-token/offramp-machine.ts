import type { Db } from '#kernel/db/db.ts';
import { defineMachine, type Machine } from '#kernel/effects/saga-machine.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { noteStep } from './audit.ts';
import type { IdrBase, Offramp, PayingBase } from './deps.ts';
import { paidOutOperation } from './legs.ts';
import { isOfficeOpen, untilOffice } from './office-hours.ts';
import { markCompleted, markRedeemFailed } from './redeem-store.ts';
import { redemptionPayout } from './redemption-payer.ts';

const AT_ONCE = 10;

/**
 * A redemption (contract part 3, States: off-ramp): the tokens are burnt, the money goes to the bank. What
 * has failed stays set aside until an admin refunds it.
 */
export const offrampMachine = (deps: PayingBase): Machine<Offramp> =>
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
      ...deps.payouts.states(redemptionPayout(deps)),
      paid: { final: true, enter: (tx, { id }) => complete(deps, tx, id) },
      failed: { final: true, enter: (tx, { id, data }) => failTransfer(deps, tx, id, data) },
    },
  });

async function complete(deps: IdrBase, tx: Db, id: string): Promise<undefined> {
  const { clock, accounts, gateway } = deps;
  const redeem = await markCompleted(tx, id, clock.now());
  await noteStep(tx, 'IDR_OFFRAMP_COMPLETED', redeem);
  const taken = { byGateway: gateway.issuesToken };
  await postWithin(tx, paidOutOperation(redeem, await accounts(), taken));
}

async function failTransfer({ clock, log }: IdrBase, tx: Db, id: string, data: Offramp) {
  const failure = data.failure ?? 'The gateway refused the pay-out';
  const redeem = await markRedeemFailed(tx, id, failure, clock.now());
  log.warn({ reference: id, failure }, 'A redemption could not be paid out');
  await noteStep(tx, 'IDR_OFFRAMP_FAILED', redeem, { failure });
  return undefined;
}
