import { bankPayments, type PayoutAsset, type Payouts } from '#features/fiat/payouts/payouts.ts';
import { ending } from '#features/ramps/ramp/ramp.ts';
import { type Machine, machineOf } from '#kernel/effects/saga-machine.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { BankAccount } from '#providers/gateway/port.ts';
import { completeWithdrawal, endWithdrawal, returnWithdrawal } from './end.ts';
import { type BankWithdrawal, editWithdrawal, receivedOf, requireWithdrawal } from './store.ts';

export interface FlowDeps extends Pick<Kernel, 'clock' | 'sagas' | 'vault' | 'log'> {
  readonly payouts: Payouts;
}

export const PAYER = 'withdrawals';
const contextOf = (our_reference: string): string => `withdrawal:${our_reference}`;

/** The account as the row keeps it. */
export const sealPayee = (
  { vault }: Pick<Kernel, 'vault'>,
  our_reference: string,
  payee: BankAccount,
): string => vault.seal(JSON.stringify(payee), contextOf(our_reference));

function payeeOf(
  { vault }: Pick<Kernel, 'vault'>,
  { sealed_payee, our_reference }: BankWithdrawal,
): BankAccount {
  if (sealed_payee === null) throw new Error(`${our_reference} goes to no bank`);
  return JSON.parse(vault.open(sealed_payee, contextOf(our_reference))) as BankAccount;
}

/** Asked for, awaited; then paid out of the hold, or failed with the hold given back. */
export const withdrawalsToBanks = (deps: FlowDeps): ReturnType<typeof bankPayments> =>
  bankPayments(deps, {
    name: PAYER,
    type: 'withdrawal',
    prefix: 'wdr',
    table: 'withdrawals',
    concurrency: 8,
    retryable: false,
    async orderOf(db, id) {
      const row = await requireWithdrawal(db, id);
      const { client_id, note } = row;
      const { asset, units } = receivedOf(row);
      const to = payeeOf(deps, row);
      return {
        units,
        asset: asset as PayoutAsset,
        to,
        description: note ?? 'Withdrawal',
        client_id,
      };
    },
    accepted: (tx, our_reference, provider_reference) =>
      editWithdrawal(tx, { our_reference, status: 'PROCESSING' }, { provider_reference }),
    paid: completeWithdrawal,
    async failed(tx, id, failure) {
      const end = { from: 'PROCESSING', to: 'FAILED', failure } as const;
      if (!(await endWithdrawal(deps, tx, id, end))) throw new Error(`${id} is not being paid`);
    },
    returned: async (tx, id, failure) =>
      returnWithdrawal(deps, tx, await requireWithdrawal(tx, id), failure),
  });

const credit = machineOf<Record<string, never>>();

/** A wallet is paid in a transaction of its own: the one that begins it holds its money, and posts once. */
export const withdrawalCreditMachine: Machine<Record<string, never>> = credit.machine({
  type: 'withdrawal-credit',
  initial: 'begin',
  concurrency: 8,
  states: {
    begin: credit.step({ next: 'paid' }),
    paid: ending<Record<string, never>>((tx, { id }) => completeWithdrawal(tx, id)),
  },
});
