import type { Archipay } from '../../../sdk/src/archipay.ts';
import type { Batch, BatchItemInput } from '../../../sdk/src/types.generated.ts';
import { recipient, two } from './banking.ts';
import type { Recipe } from './recipe.ts';
import type { Person, Stage } from './stage.ts';

/** A batch of one line to another wallet, and of more. */
async function batch(stage: Stage, more: (owner: Person) => Promise<BatchItemInput[]>) {
  const { from, from_wallet_id, to_wallet_id } = await two(stage);
  const details = { wallet_id: to_wallet_id };
  const first = { recipient: { kind: 'wallet', name: 'A trigger', details }, amount: '20.00' };
  const { data: draft } = await from.archipay.batches.create({
    name: stage.name('batch'),
    source_wallet_id: from_wallet_id,
    items: [{ ...first, reference: stage.name('line') }, ...(await more(from))],
  });
  return { maker: from.archipay, draft };
}

const none = async () => [];

/** What a decision is about: another content is refused. */
const asRead = ({ batch_id, version, content_hash }: Batch) => ({
  batch_id,
  version,
  content_hash,
});

/** The maker submits it; another one, an admin, is to decide. */
async function submitted(stage: Stage, more = none as Parameters<typeof batch>[1]) {
  const { maker, draft } = await batch(stage, more);
  const { data } = await maker.batches.submit(asRead(draft));
  return { maker, batch: asRead(data) };
}

const lineToBank = async (owner: Person): Promise<BatchItemInput[]> => [
  { recipient_id: await recipient(owner), amount: '10.00' },
];

/** The bank has got the line to it, and refuses it. */
async function refuseAtBank(stage: Stage, maker: Archipay, batch_id: string): Promise<void> {
  const line = await stage.until('the bank', async () => {
    const { data } = await maker.batches.listItems({ batch_id });
    return data.items.find(({ provider_reference }) => provider_reference !== null);
  });
  await stage.sandbox.call('POST', `/bank-host/payments/${line.item_id}/reject`, {
    reason: 'AC01',
  });
  await stage.clock(900);
}

export const BATCHES: readonly Recipe[] = [
  {
    types: ['batch.created', 'batch.cancelled'],
    how: 'A user drafts a batch of payments, and cancels it.',
    async run(stage) {
      const { maker, draft } = await batch(stage, none);
      await maker.batches.cancel({ batch_id: draft.batch_id });
    },
  },
  {
    types: ['batch.submitted', 'batch.approved', 'batch.processing', 'batch.completed'],
    how: 'A user submits a batch, an admin approves it, and its line is paid.',
    async run(stage) {
      const { batch: waiting } = await submitted(stage);
      await stage.admin.batches.approve(waiting);
    },
  },
  {
    types: ['batch.rejected'],
    how: 'A user submits a batch, and an admin rejects it.',
    async run(stage) {
      const { batch: waiting } = await submitted(stage);
      await stage.admin.batches.reject(waiting);
    },
  },
  {
    types: ['batch.partially_completed'],
    how: 'An admin approves a batch of two lines, of which a bank refuses one.',
    mode: 'live',
    movesClock: true,
    async run(stage) {
      const { maker, batch: waiting } = await submitted(stage, lineToBank);
      await stage.admin.batches.approve(waiting);
      await refuseAtBank(stage, maker, waiting.batch_id);
    },
  },
];
