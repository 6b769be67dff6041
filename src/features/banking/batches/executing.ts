import { defineJob } from '#kernel/jobs/job.ts';
import { advanceBatch } from './advance.ts';
import type { BatchWork } from './deps.ts';
import { batchCreditMachine, type ItemFlowDeps, itemsToBanks } from './flow.ts';

type Given = Omit<ItemFlowDeps, 'paying' | 'crediting' | 'advancing'>;

/** Flows and job know one another: an item that ends begins the next, and has its batch looked at. */
export function executing<D extends Given>(given: D) {
  const advancing = defineJob<BatchWork>({
    name: 'batches.advance',
    async run({ batch }) {
      await advanceBatch(deps, batch);
      return undefined;
    },
  });
  const flowDeps: ItemFlowDeps = {
    ...given,
    advancing,
    get paying() {
      return paying;
    },
    get crediting() {
      return crediting;
    },
  };
  const { payer, machine: paying } = itemsToBanks(flowDeps);
  const crediting = batchCreditMachine(flowDeps);
  const deps = { ...given, advancing, paying, crediting, payer };
  return deps;
}
