import type { Feature } from '#kernel/feature.ts';
import type { SealedKind } from '#kernel/secrets/sealed.ts';
import { refuseWithdrawalJob, withdrawalApprovals } from './approvals.ts';
import { dueSchedule } from './begin.ts';
import type { WithdrawalDeps } from './deps.ts';
import { WITHDRAWAL_EVENTS, WITHDRAWAL_PAYMENTS } from './events.ts';
import { withdrawalCreditMachine as crediting, withdrawalsToBanks } from './flow.ts';
import { WITHDRAWAL_HOLDS } from './holds-store.ts';
import { WITHDRAWALS_PERSON_DATA } from './person-data.ts';
import { WITHDRAWALS_WORDS } from './reference.ts';
import { withdrawalRoutes } from './routes.ts';

export { WITHDRAWAL_HOLDS } from './holds-store.ts';
export { isRecipientInUse } from './store.ts';

/** Sealed accounts of withdrawals. */
export const SEALED_WITHDRAWALS: SealedKind = {
  what: 'accounts of withdrawals',
  text: `select sealed_payee as sealed, 'withdrawal:' || our_reference as context, null::bytea as mark
    from withdrawals where sealed_payee is not null`,
};

/** Money from wallets to banks, and to wallets that are kept as recipients. */
export function createWithdrawals(deps: WithdrawalDeps): Feature {
  const { payer, machine: paying } = withdrawalsToBanks(deps);
  const refusing = refuseWithdrawalJob(deps);
  return {
    name: 'withdrawals',
    personData: WITHDRAWALS_PERSON_DATA,
    reference: WITHDRAWALS_WORDS,
    routes: withdrawalRoutes({ ...deps, paying, crediting }),
    machines: [paying, crediting],
    jobs: [refusing],
    schedules: [dueSchedule({ ...deps, paying, crediting })],
    rails: [deps.payouts.rail(payer)],
    events: WITHDRAWAL_EVENTS,
    holds: [WITHDRAWAL_HOLDS],
    approvals: [withdrawalApprovals(deps, refusing)],
    payments: [{ object: 'payout', rail: 'withdrawal', source: WITHDRAWAL_PAYMENTS }],
  };
}
