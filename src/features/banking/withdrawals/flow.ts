import type {
  PayoutAsset,
  PayoutFlow,
  PayoutMemory,
  PayoutPayer,
  Payouts,
} from '#features/fiat/payouts/payouts.ts';
import { bankFlow, ending } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import { type Machine, machineOf } from '#kernel/effects/saga-machine.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { BankAccount } from '#providers/gateway/port.ts';
import { completeWithdrawal, endWithdrawal, returnWithdrawal } from './end.ts';
import { type BankWithdrawal, editWithdrawal, receivedOf, requireWithdrawal } from './store.ts';

export interface FlowDeps extends Pick<Kernel, 'clock' | 'sagas' | 'vault' | 'log'> {
  readonly payouts: Payouts;
}

export const PAYER = 'withdrawals';
const REFERENCE = /^wdr_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const contextOf = (our_reference: string): string => `withdrawal:${our_reference}`;

/** The account as the row keeps it. */
export const sealPayee = (
  { vault }: Pick<Kernel, 'vault'>,
  our_reference: string,
  payee: BankAccount,
): string => vault.seal(JSON.stringify(payee), contextOf(our_reference));

const payeeOf = (
  { vault }: Pick<Kernel, 'vault'>,
  { sealed_payee, our_reference }: BankWithdrawal,
): BankAccount => JSON.parse(vault.open(sealed_payee, contextOf(our_reference))) as BankAccount;

/** How a withdrawal's flow pays the bank; the flow and both providers know it by its id. */
export const withdrawalFlow = (
  deps: FlowDeps,
): PayoutFlow<PayoutMemory> & { readonly payer: PayoutPayer } =>
  bankFlow<PayoutMemory>(deps.sagas, {
    name: PAYER,
    rail: PAYER,
    table: 'withdrawals',
    event: 'payout',
    flowOf: (reference) => (REFERENCE.test(reference) ? reference : undefined),
    async requestOf(db, { id: reference }) {
      const row = await requireWithdrawal(db, reference);
      const { client_id, note } = row;
      const { asset, units } = receivedOf(row);
      return {
        reference,
        units,
        asset: asset as PayoutAsset,
        to: payeeOf(deps, row),
        description: note ?? 'Withdrawal',
        client_id,
      };
    },
    async accepted(tx, { id }, answer) {
      const known = { our_reference: id, status: 'PROCESSING' as const };
      await editWithdrawal(tx, known, { provider_reference: answer.id.slice(0, ID_MAX) });
    },
    bookReturn: async (tx, reference, failure) =>
      returnWithdrawal(deps, tx, await requireWithdrawal(tx, reference), failure),
  });

const ID_MAX = 200;
const { machine } = machineOf<PayoutMemory>();

/** Asked for, awaited; then paid out of the hold, or failed with the hold given back. */
export const withdrawalMachine = (
  deps: FlowDeps,
  flow: PayoutFlow<PayoutMemory>,
): Machine<PayoutMemory> =>
  machine({
    type: 'withdrawal',
    initial: 'pay',
    concurrency: 8,
    states: {
      ...deps.payouts.states(flow, {
        pay: 'pay',
        wait: 'wait',
        ask: 'ask',
        paid: 'paid',
        failed: 'failed',
      }),
      paid: ending<PayoutMemory>((tx, { id }) => completeWithdrawal(tx, id)),
      failed: ending<PayoutMemory>((tx, { id, data }) => fail(deps, tx, id, data)),
    },
  });

async function fail(
  deps: FlowDeps,
  tx: Db,
  id: string,
  { failure: provider_code }: PayoutMemory,
): Promise<void> {
  deps.log.warn({ reference: id, failure: provider_code }, 'A withdrawal could not be paid');
  const failure = {
    code: 'PROVIDER_REJECTED',
    message: 'The bank did not pay it',
    retryable: false,
    ...(provider_code !== undefined && { provider_code }),
  };
  const ended = await endWithdrawal(deps, tx, id, { from: 'PROCESSING', to: 'FAILED', failure });
  if (!ended) throw new Error(`${id} is not being paid`);
}
