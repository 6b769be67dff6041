import { isNameOf, wordsOfName } from '#kernel/account-name.ts';
import type { PayeeCheck } from '#providers/bank-host/port.ts';

/** So many letters may differ in a name that is close. */
const CLOSE = 2;

/**
 * How a typed name compares with the holder's, folded: case, accents, titles and the order of words do not matter. The
 * holder's name is shown for a close one only.
 */
export function compareHolder(typed: string, holder: string): PayeeCheck {
  if (isNameOf(typed, holder)) return { result: 'MATCH' };
  const [asked, known] = [wordsOfName(typed).toSorted(), wordsOfName(holder).toSorted()];
  const isNear = distance(asked.join(' '), known.join(' ')) <= CLOSE && asked.join('').length > 5;
  return isNear || isPart(asked, known) || isPart(known, asked)
    ? { result: 'CLOSE_MATCH', suggestedName: holder }
    : { result: 'NO_MATCH' };
}

/** Two words at least, each of which is one of the other name's: a middle name is missing. */
const isPart = (some: readonly string[], all: readonly string[]): boolean =>
  some.length > 1 && some.every((word) => all.includes(word));

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
