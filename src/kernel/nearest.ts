/** Longer names are none of ours, and comparing them would cost more than the answer is worth. */
const NAME_MAX = 40;

/**
 * The name that somebody meant who wrote `written`: the one that most few slips lead to, be they letters
 * too many, too few, wrong or swapped, or case and joining marks. Nothing where none is near.
 */
export function nearestOf(written: string, names: Iterable<string>): string | undefined {
  if (written.length > NAME_MAX) return undefined;
  const plain = plainOf(written);
  let best: string | undefined;
  // A third of a name may be slips; of short ones less.
  let fewest = Math.floor(plain.length / 3) + 1;
  for (const name of names) {
    if (Math.abs(name.length - written.length) > NAME_MAX / 2) continue;
    const slips = slipsBetween(plain, plainOf(name));
    if (slips < fewest) [best, fewest] = [name, slips];
  }
  return best;
}

const plainOf = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

/** Damerau and Levenshtein: letters to put in, take out, change or swap with their neighbours. */
function slipsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const at = (di: number, dj: number) => (di === 0 ? row : rows[i - di])?.[j - dj] ?? 0;
      const changed = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const least = Math.min(at(1, 0) + 1, at(0, 1) + 1, at(1, 1) + changed);
      row.push(swapped ? Math.min(least, at(2, 2) + 1) : least);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
