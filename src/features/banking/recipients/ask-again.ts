import type { Db } from '#kernel/db/db.ts';
import { defineJob, type Job } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { transact } from '#kernel/transact.ts';
import { emitRecipient } from './events.ts';
import { openRecipientDetails } from './keep.ts';
import { withNamesOfOne } from './recipient-names.ts';
import { changeRecipient, findRecipient, type PaidRecipient } from './store.ts';
import { type VerifyDeps, verifyPayeeOf } from './verify-payee.ts';

interface Asked {
  readonly recipient_id: string;
}

type Deps = VerifyDeps & Pick<Kernel, 'db' | 'vault' | 'jobs'>;

const PAUSE_MS = 60_000;
/** A bank that says nothing for a day is asked only when somebody wishes it. */
const ASKED_FOR_MS = 24 * 3_600_000;

/** Asks banks again that gave no answer in time. */
export const askAgainJob = (deps: Omit<Deps, 'jobs'>): Job<Asked> =>
  defineJob<Asked>({
    name: 'recipients.verify',
    async run({ recipient_id }) {
      const before = await findRecipient(deps.db, {}, recipient_id);
      if (!before?.is_asked_again) return undefined;
      const details = openRecipientDetails(deps, before);
      const checked = await verifyPayeeOf(deps, before, { name: before.name, details });
      const now = deps.clock.now().getTime();
      const age = now - new Date(before.checked_at ?? 0).getTime();
      if (checked.is_asked_again && age < ASKED_FOR_MS)
        return { again: new Date(now + Math.max(PAUSE_MS, age)) };
      await transact(deps.db, async (tx) => {
        const row = await changeRecipient(tx, before, { ...checked, is_asked_again: false });
        if (row) emitRecipient(tx, 'verified', await withNamesOfOne(tx, row, row.client_id));
      });
      return undefined;
    },
  });

/** In the transaction that writes a recipient whose bank gave no answer. */
export type AskAgain = (tx: Db, row: PaidRecipient) => Promise<void>;

export const asksAgain =
  ({ jobs }: Pick<Kernel, 'jobs'>, job: Job<Asked>): AskAgain =>
  async (tx, { recipient_id, is_asked_again }) => {
    if (is_asked_again) await jobs.enqueue(tx, job, { recipient_id });
  };
