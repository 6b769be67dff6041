import type { Deposits } from '#providers/exchange/port.ts';
import type { ConversionConfirmation, Waiting } from './waiting-store.ts';

export interface Allocation {
  readonly confirmations: readonly ConversionConfirmation[];
  /** Jobs of whose reference another sum has arrived. */
  readonly differing: readonly Differing[];
}

/** The deposit of a job's reference, in units of IDR; `isNew` where the job has no reason yet. */
export type Differing = Pick<Waiting, 'job_id' | 'reference_id' | 'amount'> & {
  readonly reported: bigint;
  readonly isNew: boolean;
};

type Job = Pick<
  Waiting,
  'job_id' | 'reference_id' | 'amount' | 'paid_out_at' | 'is_mine' | 'reason'
>;

/**
 * Allocates rupiah at the exchange to jobs, oldest first: `unallocated` is the balance beyond earlier confirmations.
 * A deposit of a job's own reference is reserved for it; of the others the oldest comes first, once the gateway has
 * paid it out. The share of jobs out of scope stays with them. Where the list of deposits is not whole, the balance
 * proves nothing: an unlisted deposit may have brought it.
 */
export function allocate(
  jobs: readonly Job[],
  { arrived, isWhole }: Deposits,
  unallocated: bigint,
): Allocation {
  const byNote = new Map(arrived.map((deposit) => [deposit.note, deposit]));
  const own = (job: Job) => {
    const deposit = byNote.get(job.reference_id);
    return deposit && deposit.units >= job.amount ? deposit : undefined;
  };
  let reserved = jobs.reduce((sum, job) => (own(job) ? sum + job.amount : sum), 0n);
  let left = unallocated;
  const confirmations: ConversionConfirmation[] = [];
  for (const job of jobs) {
    const deposit = own(job);
    // A job without a deposit cannot use what is reserved for others.
    const free = deposit ? left : left - reserved;
    const isPaid = deposit !== undefined || (isWhole && job.paid_out_at !== null);
    if (free < job.amount || !isPaid) continue;
    left -= job.amount;
    if (deposit) reserved -= job.amount;
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
