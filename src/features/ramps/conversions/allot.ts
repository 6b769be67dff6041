import type { Deposits } from '#providers/exchange/port.ts';
import type { ConversionConfirmation, Waiting } from './waiting-store.ts';

export interface Allotted {
  readonly confirmations: readonly ConversionConfirmation[];
  /** Those of whose reference another sum has come. */
  readonly differing: readonly Differing[];
}

/** What has come of a job's reference, in units of IDR; `isNew` where the job does not say so yet. */
export type Differing = Pick<Waiting, 'job_id' | 'reference_id' | 'amount'> & {
  readonly reported: bigint;
  readonly isNew: boolean;
};

type Job = Pick<
  Waiting,
  'job_id' | 'reference_id' | 'amount' | 'paid_out_at' | 'is_mine' | 'reason'
>;

/**
 * Which of the jobs, oldest first, may count on which rupiah: `spare` is what the exchange has beyond
 * what was confirmed before. A deposit of a job's own reference is kept for it; of the others the oldest
 * comes first, once the gateway says that it has paid out. What jobs out of reach would get is left. Where not all
 * deposits are told, the balance proves nothing: it may be what one of those has brought.
 */
export function allot(
  jobs: readonly Job[],
  { arrived, isWhole }: Deposits,
  spare: bigint,
): Allotted {
  const byNote = new Map(arrived.map((deposit) => [deposit.note, deposit]));
  const own = (job: Job) => {
    const deposit = byNote.get(job.reference_id);
    return deposit && deposit.units >= job.amount ? deposit : undefined;
  };
  let kept = jobs.reduce((sum, job) => (own(job) ? sum + job.amount : sum), 0n);
  let left = spare;
  const confirmations: ConversionConfirmation[] = [];
  for (const job of jobs) {
    const deposit = own(job);
    // What is kept for others is not there for one that has only the balance to show.
    const free = deposit ? left : left - kept;
    const isPaid = deposit !== undefined || (isWhole && job.paid_out_at !== null);
    if (free < job.amount || !isPaid) continue;
    left -= job.amount;
    if (deposit) kept -= job.amount;
    if (job.is_mine) confirmations.push({ job_id: job.job_id, deposit_id: deposit?.id ?? null });
  }
  const differing = jobs.flatMap((job): Differing[] => {
    const reported = byNote.get(job.reference_id)?.units;
    if (!job.is_mine || reported === undefined || own(job)) return [];
    const { job_id, reference_id, amount } = job;
    return [{ job_id, reference_id, amount, reported, isNew: job.reason === null }];
  });
  return { confirmations, differing };
}
