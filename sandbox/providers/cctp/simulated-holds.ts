import type { Records } from '#sandbox/records.ts';

/** How many answers are still to be pending, and why. */
export interface CctpHold {
  readonly answers: number;
  readonly delay_reason?: string;
}

const PROVIDER = 'cctp';
const KIND = 'hold';

export async function setCctpHold(records: Records, hold: CctpHold): Promise<void> {
  await records.insert(PROVIDER, KIND, KIND, hold);
  await records.update<CctpHold>(PROVIDER, KIND, KIND, () => hold);
}

/** Uses one up, where there is one. */
export const takeCctpHold = (records: Records): Promise<CctpHold | undefined> =>
  records.update<CctpHold>(PROVIDER, KIND, KIND, (now) =>
    now.answers > 0 ? { ...now, answers: now.answers - 1 } : undefined,
  );
