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
import type { ExecutingDeps } from './deps.ts';
import { completeItem, endFailedItem, returnItem } from './end-item.ts';
import { openItemPayee } from './item-payee.ts';
import { editItem, requireItem } from './items-store.ts';
import { leaveLane } from './lanes.ts';

export interface ItemFlowDeps extends ExecutingDeps, Pick<Kernel, 'vault'> {
  readonly payouts: Payouts;
}

const PAYER = 'batches';
const REFERENCE = /^itm_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const ID_MAX = 200;
/** Of one process; how many of a batch are on their way is what BATCH_LANES says. */
const AT_ONCE = 16;

/** How a payment of a batch goes to a bank; the flow and both providers know it by its id. */
export const batchItemFlow = (
  deps: ItemFlowDeps,
): PayoutFlow<PayoutMemory> & { readonly payer: PayoutPayer } =>
  bankFlow<PayoutMemory>(deps.sagas, {
    name: PAYER,
    rail: PAYER,
    table: 'batch_items',
    event: 'payout',
    concurrency: AT_ONCE,
    flowOf: (reference) => (REFERENCE.test(reference) ? reference : undefined),
    async requestOf(db, { id: reference }) {
      const row = await requireItem(db, reference);
      const { amount: units, client_id, note } = row;
      return {
        reference,
        units,
        asset: row.currency as PayoutAsset,
        to: openItemPayee(deps, row),
        description: note ?? 'Payment',
        client_id,
      };
    },
    async accepted(tx, { id }, answer) {
      const before = await requireItem(tx, id);
      const known = { our_reference: id, status: 'PROCESSING' as const };
      const taken = { provider_reference: answer.id.slice(0, ID_MAX), in_lane: false };
      await editItem(tx, known, taken);
      await leaveLane(deps, tx, before);
    },
    bookReturn: (tx, reference, failure) => returnItem(deps, tx, reference, failure),
  });

const { machine } = machineOf<PayoutMemory>();

/** Asked for, awaited; then paid out of the batch's hold, or failed with its money back in it. */
export const batchItemMachine = (
  deps: ItemFlowDeps,
  flow: PayoutFlow<PayoutMemory>,
): Machine<PayoutMemory> =>
  machine({
    type: 'batch-item',
    initial: 'pay',
    concurrency: AT_ONCE,
    states: {
      ...deps.payouts.states(flow, {
        pay: 'pay',
        wait: 'wait',
        ask: 'ask',
        paid: 'paid',
        failed: 'failed',
      }),
      paid: ending<PayoutMemory>((tx, { id }) => completeItem(deps, tx, id)),
      failed: ending<PayoutMemory>((tx, { id, data }) => fail(deps, tx, id, data)),
    },
  });

async function fail(
  deps: ItemFlowDeps,
  tx: Db,
  id: string,
  { failure: provider_code }: PayoutMemory,
): Promise<void> {
  deps.log.warn({ reference: id, failure: provider_code }, 'A payment of a batch was refused');
  await endFailedItem(deps, tx, id, {
    code: 'PROVIDER_REJECTED',
    message: 'The bank did not pay it',
    retryable: false,
    ...(provider_code !== undefined && { provider_code }),
  });
}

const credit = machineOf<Record<string, never>>();

/** A wallet is paid in a transaction of its own: several payments of a batch begin in one, which posts nothing. */
export const batchCreditMachine = (deps: ExecutingDeps): Machine<Record<string, never>> =>
  credit.machine({
    type: 'batch-credit',
    initial: 'begin',
    concurrency: AT_ONCE,
    states: {
      begin: credit.step({ next: 'paid' }),
      paid: ending<Record<string, never>>((tx, { id }) => completeItem(deps, tx, id)),
    },
  });
