/**
 * Letters of scripts that join words or change shape by a mark between them: there U+200C and U+200D are spelling
 * (Persian, Hindi, Sinhala and others).
 */
const JOINING =
  '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}' +
  '\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}' +
  '\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}]';
/** Marks that cannot be seen, where they are spelling: between such letters, and within one emoji. */
const SPELLING = new RegExp(
  [
    `(?<=${JOINING}\\p{M}*)[\\u200c\\u200d](?=${JOINING})`,
    '(?<=\\p{Extended_Pictographic}[\\u{1f3fb}-\\u{1f3ff}]?\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})',
    '(?<=[\\p{Extended_Pictographic}0-9#*])[\\ufe0e\\ufe0f]',
  ].join('|'),
  'gu',
);
/** What cannot be seen, changes the direction of what is around it, or ends a line; U+2800 is a blank. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const UNSEEN_ALL = new RegExp(UNSEEN, 'gu');
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * A name as it is kept: composed (NFC), without blanks around it. Nothing where it has no sign that can be seen, has
 * one that cannot, or is more than one line: such a name could pass for another, or write lines of its own.
 */
export function keptName(written: string): string | undefined {
  const name = written.normalize('NFC').trim();
  return SEEN.test(name) && !UNSEEN.test(name.replace(SPELLING, '')) ? name : undefined;
}

/**
 * Free text as it is kept: composed (NFC), without blanks around it. Nothing where it is empty, or has control
 * characters, line ends among them.
 */
export function keptText(written: string): string | undefined {
  const text = written.normalize('NFC').trim();
  return text === '' || !text.isWellFormed() || /\p{Cc}/u.test(text) ? undefined : text;
}

/** What two names have in common that people take for one: `Prod`, ` prod`, `ＰＲＯＤ`. Only for comparing. */
export const foldedName = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(UNSEEN_ALL, '')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .trim();
