import { bankPayments, type PayoutAsset, type Payouts } from '#features/fiat/payouts/payouts.ts';
import { ending } from '#features/ramps/ramp/ramp.ts';
import { type Machine, machineOf } from '#kernel/effects/saga-machine.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExecutingDeps } from './deps.ts';
import { completeItem, endFailedItem, returnItem } from './end-item.ts';
import { openItemPayee } from './item-payee.ts';
import { editItem, requireItem } from './items-store.ts';
import { leaveLane } from './lanes.ts';
import { receivedOfItem } from './quoted.ts';

export interface ItemFlowDeps extends ExecutingDeps, Pick<Kernel, 'vault'> {
  readonly payouts: Payouts;
}

/** Of one process; how many of a batch are on their way is what BATCH_LANES says. */
const AT_ONCE = 16;

/** Asked for, awaited; then paid out of the batch's hold, or failed with its money back in it. */
export const itemsToBanks = (deps: ItemFlowDeps): ReturnType<typeof bankPayments> =>
  bankPayments(deps, {
    name: 'batches',
    type: 'batch-item',
    prefix: 'itm',
    table: 'batch_items',
    concurrency: AT_ONCE,
    retryable: false,
    async orderOf(db, id) {
      const row = await requireItem(db, id);
      const { client_id, note } = row;
      const { asset, units } = receivedOfItem(row);
      const to = openItemPayee(deps, row);
      return {
        units,
        asset: asset as PayoutAsset,
        to,
        description: note ?? 'Payment',
        client_id,
      };
    },
    async accepted(tx, our_reference, provider_reference) {
      const before = await requireItem(tx, our_reference);
      const taken = { provider_reference, in_lane: false };
      await editItem(tx, { our_reference, status: 'PROCESSING' }, taken);
      await leaveLane(deps, tx, before);
    },
    paid: (tx, id) => completeItem(deps, tx, id),
    failed: (tx, id, failure) => endFailedItem(deps, tx, id, failure),
    returned: (tx, id, failure) => returnItem(deps, tx, id, failure),
  });

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
