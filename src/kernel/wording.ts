/** A line in which every word is ours: the only kind that may hold a link, a password or a code. */
export interface Ours {
  readonly ours: string;
}

/** One that leads somewhere: a line of text, or a button that says what it does. */
export interface LinkLine extends Ours {
  readonly href: string;
  readonly label: string;
}

/** `Link: …`, or another word before it. What is linked to is ours, too. */
export const linkLine = (href: string, label: string, word = 'Link'): LinkLine => ({
  ours: `${word}: ${href}`,
  href,
  label,
});

/** A line of a message. Plain text may repeat a name that its bearer has chosen. */
export type Line = string | Ours | LinkLine;

/** Never with a name in it, or anything else that a caller chose. */
export const ours = (line: string): Ours => ({ ours: line });

/** The text that is sent: no line but ours can be clicked on. */
export const kernelTextOf = (lines: readonly Line[]): string =>
  lines.map((line) => (typeof line === 'string' ? unlinked(line) : line.ours)).join('\n');

/** Numbers such as 12.50 or 203.0.113.7, unless something makes an address of them. */
const NUMBER =
  '(?<![\\p{L}\\p{N}.@/])\\p{N}+(?:\\.\\p{N}+)+(?![\\p{L}\\p{N}/:@-]|\\.[\\p{L}\\p{N}])';
/** A dot that would stand in a domain. */
const DOT = '[.\u3002](?=[\\p{L}\\p{N}\\p{M}])';
const DOTS = new RegExp(`${NUMBER}|${DOT}`, 'gu');

/**
 * One line that reads as before and that no mail program makes a link of: letters that only look like
 * others become those, what is invisible or turns the direction of writing goes, and schemes, `@` and
 * the dots of domains no longer hold together.
 */
export function unlinked(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\s\p{Z}]+/gu, ' ')
    .replace(/\p{C}/gu, '')
    .replace(/@/g, ' (at) ')
    .replace(/(?<=\p{L}):(?=\S)/gu, ': ')
    .replace(/\/\/+/g, '/ /')
    .replace(DOTS, (found) => (found.length > 1 ? found : `${found} `));
}
