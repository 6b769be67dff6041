/** Longer words are compared with nothing: it would cost more than an answer is worth. */
export const WORD_MAX = 40;

/**
 * The known word that an unknown one probably means, at most `most` changed letters away; undefined where it is
 * further from all of them, or longer than `WORD_MAX`.
 */
export function nearestWord(
  word: string,
  known: Iterable<string>,
  most: number,
): string | undefined {
  let best: string | undefined;
  let room = most;
  for (const one of known) {
    const apart = slipsBetween(word, one, room);
    if (apart > room) continue;
    best = one;
    // Of words that are equally near the first one counts.
    room = apart - 1;
    if (room < 0) break;
  }
  return best;
}

/**
 * The name that was meant by `written`: the one that the fewest slips lead to, up to a third of its letters, where
 * case and joining marks do not count. Nothing where none is near.
 */
export function nearestOf(written: string, names: Iterable<string>): string | undefined {
  if (written.length > WORD_MAX) return undefined;
  const plain = plainOf(written);
  const byPlain = new Map<string, string>();
  for (const name of names) {
    const key = plainOf(name);
    if (!byPlain.has(key)) byPlain.set(key, name);
  }
  const meant = nearestWord(plain, byPlain.keys(), Math.floor(plain.length / 3));
  return meant === undefined ? undefined : byPlain.get(meant);
}

const plainOf = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

/** One row for each of the last three letters: comparing makes nothing for the collector. */
const ROWS = [0, 1, 2].map(() => new Uint8Array(WORD_MAX + 1));

/**
 * How many letters to change, add, leave out or swap with their neighbour (optimal string alignment), where that
 * is `most` or fewer, and something above `most` otherwise. Looks only at the cells that `most` slips can reach and
 * gives up at the first row that is beyond them.
 */
function slipsBetween(a: string, b: string, most: number): number {
  const far = most + 1;
  if (Math.abs(a.length - b.length) > most || Math.max(a.length, b.length) > WORD_MAX) return far;
  let [older, old, row] = ROWS as [Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= b.length; j += 1) old[j] = Math.min(j, far);
  for (let i = 1; i <= a.length; i += 1) {
    if (fillRow(row, { a, b, i, far }, old, older) >= far) return far;
    [older, old, row] = [old, row, older];
  }
  return old[b.length] ?? far;
}

interface Place {
  readonly a: string;
  readonly b: string;
  readonly i: number;
  readonly far: number;
}

/** The slips up to the `i`th letter of `a`, for each letter of `b` within reach; answers the fewest of them. */
function fillRow(row: Uint8Array, place: Place, old: Uint8Array, older: Uint8Array): number {
  const { a, b, i, far } = place;
  const from = Math.max(1, i - far + 1);
  const upto = Math.min(b.length, i + far - 1);
  row[from - 1] = from === 1 ? Math.min(i, far) : far;
  let fewest = row[from - 1] ?? far;
  for (let j = from; j <= upto; j += 1) {
    const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
    let least = Math.min(
      (old[j] ?? far) + 1,
      (row[j - 1] ?? far) + 1,
      (old[j - 1] ?? far) + (isSame ? 0 : 1),
      far,
    );
    if (i > 1 && j > 1 && isSwap(a, b, i, j)) least = Math.min(least, (older[j - 2] ?? far) + 1);
    row[j] = least;
    if (least < fewest) fewest = least;
  }
  if (upto < b.length) row[upto + 1] = far;
  return fewest;
}

const isSwap = (a: string, b: string, i: number, j: number): boolean =>
  a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
