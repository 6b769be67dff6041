import type { Records } from '#sandbox/records.ts';

export const BANK_HOST_SIMULATOR = 'bank-host';

const HOLDER = 'holder';

/** In whose name an account is; no name where its bank takes part in no verification. */
export interface Holder {
  readonly name: string | null;
}

export async function setHolder(records: Records, account: string, holder: Holder): Promise<void> {
  if (await records.insert(BANK_HOST_SIMULATOR, HOLDER, account, holder)) return;
  await records.update<Holder>(BANK_HOST_SIMULATOR, HOLDER, account, () => holder);
}

/** Undefined where no holder was set; also for accounts at the rupiah gateway. */
export const holderOfAccount = (records: Records, account: string): Promise<Holder | undefined> =>
  records.get<Holder>(BANK_HOST_SIMULATOR, HOLDER, account);

/** In the words of the rulebooks of verification of payee. */
export interface Verified {
  readonly result: 'MTCH' | 'CMTC' | 'NMTC' | 'NOAP';
  readonly matchedName?: string;
}

/** An account without a set holder is in the name that is asked for. */
export async function verifyHolder(
  records: Records,
  account: string,
  name: string,
): Promise<Verified> {
  const holder = await holderOfAccount(records, account);
  if (holder === undefined) return { result: 'MTCH' };
  if (holder.name === null) return { result: 'NOAP' };
  const [asked, known] = [folded(name), folded(holder.name)];
  if (asked.toSorted().join(' ') === known.toSorted().join(' ')) return { result: 'MTCH' };
  const isClose = distance(asked.join(' '), known.join(' ')) <= CLOSE || isPart(asked, known);
  return isClose ? { result: 'CMTC', matchedName: holder.name } : { result: 'NMTC' };
}

/** So many letters may differ in a name that is close. */
const CLOSE = 2;
const TITLES = ['mr', 'mrs', 'ms', 'dr', 'prof', 'ir', 'hj', 'h'];

/** The words of a name without case, accents and titles. */
const folded = (name: string): string[] =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('đ', 'd')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !TITLES.includes(word));

/** A middle name is missing, or an initial stands for a word. */
const isPart = (asked: readonly string[], known: readonly string[]): boolean =>
  asked.length > 1 &&
  asked.every((word) =>
    known.some((other) => other === word || (word.length === 1 && other.startsWith(word))),
  ) &&
  asked.some((word) => word.length > 1);

/** How many letters have to be changed, added or left out. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, against] of [...other].entries())
      next.push(
        Math.min(
          (next[j] ?? 0) + 1,
          (row[j + 1] ?? 0) + 1,
          (row[j] ?? 0) + (letter === against ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
