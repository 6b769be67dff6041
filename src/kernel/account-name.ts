/** Titles and degrees before or behind a name, which are no part of it. */
const TITLES = new Set(
  (
    'dr drs dra ir prof h hj haji hajah kh ust tn ny nn sdr sdri bpk bapak ibu mr mrs ms miss ' +
    'rd se sh st ssi skom sked spd spsi sip sos mm msi msc mt mh mkom mba phd amd'
  ).split(' '),
);

/** Letters that are no letter with an accent, so that Unicode does not take them apart: as passports write them. */
const LETTERS: Readonly<Record<string, string>> = {
  đ: 'd',
  ð: 'd',
  ɖ: 'd',
  ø: 'o',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ɓ: 'b',
  ƀ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
  ĳ: 'ij',
  ŋ: 'ng',
  ı: 'i',
  ȷ: 'j',
  ĸ: 'k',
  ə: 'e',
};

/** A first name that banks and documents shorten, and how; its spellings are different names of themselves. */
const SHORT = new Set('muh muhd moh mohd moch mch mhd'.split(' '));
const SHORTENED = /^(?:mu|mo)(?:h|ch)(?:a|e)mm?[ae]d$/;

/** A bank's field cuts names off that are longer: this many letters it shows at least, and these of the cut word. */
const CUT_LENGTH = 15;
const CUT_WORD = 3;

/**
 * Whether an account is that of the registered person (contract: the bank account name must match).
 * Letter case, accents, punctuation, the order of words, titles and degrees do not matter; a single name that
 * documents write twice is the single one; an initial stands for any word that begins with it, and `Muh` and the
 * like for Muhammad. Every other word must be in both names, one for one, and one whole word at least; or both are
 * the same once written together; or the account's long name ends within its last word, where a bank cut it off.
 */
export function isNameOf(account: string, registered: string): boolean {
  const [given, known] = [singleOf(wordsOfName(account)), singleOf(wordsOfName(registered))];
  if (given.length === 0 || known.length === 0) return false;
  if (given.join('') === known.join('')) return true;
  return given.length === known.length && (pair(given, known) || isCut(given, known));
}

/** Documents that want two names write a single one twice. */
const singleOf = (words: readonly string[]): readonly string[] =>
  words.length === 2 && words[0] === words[1] ? words.slice(1) : words;

/** All words but the last are the same in the same order, and the last one begins as the registered one does. */
function isCut(given: readonly string[], known: readonly string[]): boolean {
  const [cut = '', whole = ''] = [given.at(-1), known.at(-1)];
  return (
    given.length > 1 &&
    given.slice(0, -1).every((word, i) => word === known[i]) &&
    given.join('').length >= CUT_LENGTH &&
    cut.length >= CUT_WORD &&
    whole.startsWith(cut)
  );
}

/** Equal words are paired first; the rest must be initials of one another. */
function pair(given: readonly string[], known: readonly string[]): boolean {
  const open = [...known];
  const left = given.filter((word) => !take(open, (other) => other === word));
  const isKnown = given.some((word) => word.length > 1 && !left.includes(word));
  return (
    isKnown &&
    left
      .toSorted((a, b) => b.length - a.length)
      .every((word) => take(open, (other) => isShort(word, other) || isShort(other, word)))
  );
}

/** Removes the first such word from the list; false where there is none. */
function take(open: string[], suits: (word: string) => boolean): boolean {
  const at = open.findIndex(suits);
  if (at >= 0) open.splice(at, 1);
  return at >= 0;
}

const isShort = (short: string, word: string): boolean =>
  (short.length === 1 && word.startsWith(short)) || (SHORT.has(short) && SHORTENED.test(word));

/** Its words in lower case, without accents, apostrophes and titles. */
export function wordsOfName(name: string): string[] {
  const bare = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const plain = bare.replace(/\p{L}/gu, (letter) => LETTERS[letter] ?? letter);
  const words = plain.replace(/['’`]/g, '').split(/[^\p{L}\p{N}.]+/u);
  const whole = words.flatMap((word) => {
    // `S.E.` is a degree, `B.J.` two initials.
    const joined = word.replaceAll('.', '');
    return TITLES.has(joined) ? [joined] : word.split('.').filter(Boolean);
  });
  const names = whole.filter((word) => !TITLES.has(word));
  return names.length > 0 ? names : whole;
}
