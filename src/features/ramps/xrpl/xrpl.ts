import { flowHolds } from '#kernel/effects/flow-holds.ts';
import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import { returningMachine, xrplBankFlow } from './bank-states.ts';
import type { XrplDeps } from './deps.ts';
import { XRPL_EVENTS, XRPL_PAYMENTS } from './events.ts';
import { xrplOfframpMachine } from './offramp.ts';
import { xrplOnrampMachine } from './onramp.ts';
import { XRPL_PERSON_DATA } from './person-data.ts';
import { xrplRail } from './rail.ts';
import { XRPL_WORDS } from './reference.ts';
import { xrplRoutes } from './routes.ts';

export { xrplFarLedger } from './far-ledger.ts';

/** A flow sets its price or its USDC aside. */
export const XRPL_HOLDS = flowHolds(
  'xrpl-hold',
  'The XRP Ledger validates the payment or refuses it',
);

/** On- and off-ramps over the XRP Ledger (contract: XRPL). */
export function createXrpl(deps: XrplDeps): Feature {
  const returning = returningMachine(deps.xrpl);
  const bank = xrplBankFlow(deps.sagas, returning);
  deps.payouts.join(bank.payer);
  const onramp = xrplOnrampMachine(deps.xrpl);
  const offramp = xrplOfframpMachine(deps, bank);
  return {
    name: 'xrpl',
    personData: XRPL_PERSON_DATA,
    reference: XRPL_WORDS,
    payments: [{ object: 'xrpl_transaction', rail: 'xrpl', source: XRPL_PAYMENTS }],
    events: XRPL_EVENTS,
    holds: [XRPL_HOLDS],
    routes: xrplRoutes({ ...deps, onramp, offramp }),
    machines: [onramp, offramp, returning],
    schedules: [
      defineSchedule({
        name: 'xrpl-retention',
        cron: '43 * * * *',
        run: () => deps.xrpl.forgetOld(),
      }),
    ],
    rails: [xrplRail(deps.xrpl), deps.payouts.rail(bank.payer)],
  };
}
