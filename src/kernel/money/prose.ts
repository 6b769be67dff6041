import { plainDecimal, plainForms, readingsOf } from './amount-text.ts';

/** A word of a text without the marks around it, in plain forms. */
export interface ProseWord {
  readonly text: string;
  readonly kind: 'number' | 'coin' | 'address' | 'word';
  /** A mark behind it ends what it belongs to. */
  readonly isLast: boolean;
}

/** A number as a text has it: all that it may mean, in plain decimal text; nothing where it is no plain amount. */
export interface WrittenAmount {
  readonly readings: readonly string[];
}

export interface Prose {
  readonly words: readonly ProseWord[];
  readonly amounts: readonly WrittenAmount[];
  /** The coins that are named, in capitals, each with whether it stands beside a number. */
  readonly coins: readonly { readonly symbol: string; readonly isCounted: boolean }[];
}

const OPENING = /^["'“‘«*_`([<]+/;
/** Around a number they may mean less than nothing, less than it, or a note. */
const BRACKETS = /[([<]|[>\]]$/;
const CLOSING = /["'”’»*_`\])>.,;:!?…]+$/;
const NUMBER = /^(?:\d(?:[\d.,]*\d)?|\.\d+)$/;
const COUNTED = /^(\d(?:[\d.,]*\d)?|\.\d+)([a-z]+)$/i;
const ADDRESS = /^0x[0-9a-z]*$/i;

/**
 * What a text says of money, for texts in English and Indonesian: every number in it and every coin of that
 * list. A number is an amount only where the words around it are known to leave it one: behind a sign, before
 * a percent sign, as part of a range or beside a word for a number it has no reading.
 */
export function proseOf(text: string, coins: readonly string[]): Prose {
  // `to:0x…` is two words.
  const parted = plainForms(text).replace(/([:=,;])(?=0x)/gi, '$1 ');
  const words = parted
    .split(/\s+/u)
    .filter(Boolean)
    .flatMap((chunk) => wordsOf(chunk, coins));
  const amounts = words.flatMap((word, i): WrittenAmount[] => {
    if (word.kind === 'number') return [{ readings: readingsAt(words, i) }];
    return NUMERALS.has(word.text.toLowerCase()) ? [{ readings: [] }] : [];
  });
  const named = words.flatMap((word, i) => {
    if (word.kind !== 'coin') return [];
    const isCounted = [words[i - 1], words[i + 1]].some((beside) => beside?.kind === 'number');
    return [{ symbol: word.text.toUpperCase(), isCounted }];
  });
  return { words, amounts, coins: named };
}

function wordsOf(chunk: string, coins: readonly string[]): ProseWord[] {
  const [closing = ''] = CLOSING.exec(chunk) ?? [];
  const open = chunk.slice(0, chunk.length - closing.length);
  const text = open.replace(OPENING, '');
  const isLast = /[.,;:!?]/.test(closing);
  const isCoin = (word: string): boolean => coins.includes(word.toUpperCase());
  if (ADDRESS.test(text)) return [{ text, kind: 'address', isLast }];
  if (isCoin(text)) return [{ text, kind: 'coin', isLast }];
  if (!/\p{N}/u.test(text)) return [{ text, kind: 'word', isLast }];
  if (BRACKETS.test(chunk)) return [{ text: chunk, kind: 'number', isLast }];
  const [, number, unit] = COUNTED.exec(text) ?? [];
  if (number !== undefined && unit !== undefined && isCoin(unit))
    return [
      { text: number, kind: 'number', isLast: false },
      { text: unit, kind: 'coin', isLast },
    ];
  return [{ text, kind: 'number', isLast }];
}

function readingsAt(words: readonly ProseWord[], at: number): readonly string[] {
  const [before, word, after] = [words[at - 1], words[at], words[at + 1]];
  if (word === undefined || !NUMBER.test(word.text)) return [];
  if (!leaves(before, BEFORE, before?.isLast) || !leaves(after, BEHIND, word.isLast)) return [];
  const written = /^\d/.test(word.text) ? word.text : `0${word.text}`;
  const plain = readingsOf(written).map(({ whole, fraction }) =>
    plainDecimal(fraction === '' ? whole : `${whole}.${fraction}`),
  );
  return [...new Set(plain)];
}

/** Whether a number beside that word is still an amount. */
const leaves = (
  word: ProseWord | undefined,
  known: ReadonlySet<string>,
  isApart: boolean | undefined,
): boolean =>
  word === undefined ||
  isApart === true ||
  word.kind === 'coin' ||
  word.kind === 'address' ||
  known.has(word.text.toLowerCase());

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter(Boolean));

const BEFORE = setOf(`
  send sending transfer pay move bridge give sends kirim kirimkan kirimin bayar bayarkan pindah pindahkan
  transferkan jembatani jembatankan seberangkan it me us him her them to ke jadi menjadi ubah amount jumlah
  jumlahnya sebesar sejumlah sebanyak senilai nominal is be make exactly just only hanya cukup tepat please
  tolong mohon want need mau ingin then lalu total money uang dana token tokens coin coins koin`);

const BEHIND = setOf(`
  to ke for untuk kepada on di pada from dari in via with using dengan pakai over across onto into lintas now
  sekarang please tolong saja aja ya dong only instead`);

/** Words that are numbers or change one: beside them no digits can be read by themselves. */
const NUMERALS = setOf(`
  zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand
  thousands million millions billion lakh crore dozen dozens half quarter third double twice triple minus
  negative plus percent percentage point
  nol satu dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas belas puluh seratus ratus seribu
  ribu sejuta juta miliar setengah separuh seperempat lusin kali negatif persen koma rb jt`);
