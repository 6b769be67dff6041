/**
 * The known word that is meant by one that nobody knows, where no more than `most` letters are to be
 * changed; nothing where it is far from all of them.
 */
export function nearestWord(
  word: string,
  known: Iterable<string>,
  most: number,
): string | undefined {
  let best: { readonly word: string; readonly apart: number } | undefined;
  for (const one of known) {
    if (Math.abs(one.length - word.length) > most) continue;
    const apart = distance(word, one);
    if (apart <= most && apart < (best?.apart ?? most + 1)) best = { word: one, apart };
  }
  return best?.word;
}

/** How many letters to change, add, leave out or swap with their neighbour (optimal string alignment). */
function distance(a: string, b: string): number {
  let older: number[] = [];
  let old = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (old[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (old[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (older[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [older, old] = [old, row];
  }
  return old[b.length] ?? 0;
}
