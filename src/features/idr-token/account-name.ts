/** What stands before or behind a name in Indonesia and elsewhere, and is no part of it. */
const TITLES = new Set(
  (
    'dr drs dra ir prof h hj haji hajah kh ust tn ny nn sdr sdri bpk bapak ibu mr mrs ms miss ' +
    'rd se sh st ssi skom sked spd spsi sip sos mm msi msc mt mh mkom mba phd amd'
  ).split(' '),
);

/**
 * Whether an account is that of the registered person (contract: the bank account name must match).
 * Letter case, accents, punctuation, the order of words, titles and degrees do not matter, and an
 * initial stands for any word that begins with it. Every other word must be in both names, one for one,
 * and one whole word at least; or both are the same once written together.
 */
export function isNameOf(account: string, registered: string): boolean {
  const [given, known] = [wordsOf(account), wordsOf(registered)];
  if (given.length === 0 || known.length === 0) return false;
  if (given.join('') === known.join('')) return true;
  return given.length === known.length && pair(given, known);
}

/** What is equal goes together first; what is left must be initials of one another. */
function pair(given: readonly string[], known: readonly string[]): boolean {
  const open = [...known];
  const left = given.filter((word) => !take(open, (other) => other === word));
  const isKnown = given.some((word) => word.length > 1 && !left.includes(word));
  return (
    isKnown &&
    left
      .toSorted((a, b) => b.length - a.length)
      .every((word) => take(open, (other) => isInitial(word, other) || isInitial(other, word)))
  );
}

/** Takes the first such word out of the list; false where there is none. */
function take(open: string[], suits: (word: string) => boolean): boolean {
  const at = open.findIndex(suits);
  if (at >= 0) open.splice(at, 1);
  return at >= 0;
}

const isInitial = (letter: string, word: string): boolean =>
  letter.length === 1 && word.startsWith(letter);

/** In lower case, without accents, apostrophes and titles. */
function wordsOf(name: string): string[] {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.replace(/['’`]/g, '').split(/[^\p{L}\p{N}.]+/u);
  const whole = words.flatMap((word) => {
    // `S.E.` is a degree, `B.J.` two initials.
    const joined = word.replaceAll('.', '');
    return TITLES.has(joined) ? [joined] : word.split('.').filter(Boolean);
  });
  const names = whole.filter((word) => !TITLES.has(word));
  return names.length > 0 ? names : whole;
}
