const BACKSLASH = 0x5c;
const QUOTE_MARK = 0x22;

const OTHER = 0;
const SPACE = 1;
const QUOTE = 2;
const COMMA = 3;
const OPEN = 4;
const CLOSE = 5;
const KINDS = new Uint8Array(256).fill(SPACE, 0, 0x21);
KINDS[QUOTE_MARK] = QUOTE;
for (const [kind, marks] of [
  [COMMA, ','],
  [OPEN, '[{'],
  [CLOSE, ']}'],
] as const)
  for (const mark of marks) KINDS[mark.charCodeAt(0)] = kind;

/** How much a document may hold. */
export interface JsonBounds {
  /** Lists and objects within one another. */
  readonly depth: number;
  /** Texts, numbers, words, lists and objects together; of a name that is given twice, both. */
  readonly values: number;
}

/**
 * How many values JSON text has, of a name that is given twice both; nothing where it is beyond bounds. Found
 * from its bytes alone in 1 to 5 ms a MiB: parsing it may take hundreds, and does where it is deep or full
 * beyond use. Looks at each byte once and keeps nothing. Of what is no JSON it says only that no parser would
 * get further than that.
 */
export function countWithin(bytes: Uint8Array, { depth, values }: JsonBounds): number | undefined {
  const { length } = bytes;
  let level = 0;
  let count = 1;
  let opened = false;
  for (let at = 0; at < length; at += 1) {
    const kind = KINDS[bytes[at] as number];
    if (kind === SPACE) continue;
    if (opened) {
      opened = false;
      // What is not empty holds one value more than it has commas.
      if (kind !== CLOSE) count += 1;
    }
    if (kind === OTHER) continue;
    if (kind === QUOTE) at = endOfText(bytes, at + 1);
    else if (kind === COMMA) count += 1;
    else if (kind === CLOSE) level -= 1;
    else {
      level += 1;
      opened = true;
    }
    if (level > depth || count > values) return undefined;
  }
  return count <= values ? count : undefined;
}

/** Where the text that begins at `at` has its closing quote. */
function endOfText(bytes: Uint8Array, at: number): number {
  const { length } = bytes;
  let end = at;
  while (end < length) {
    const byte = bytes[end];
    if (byte === QUOTE_MARK) break;
    end += byte === BACKSLASH ? 2 : 1;
  }
  return end;
}

/** Texts, of which those with a colon behind them are names, and where lists and objects begin and end. */
const PARTS = /("(?:[^"\\]|\\.)*")(\s*:)?|[[\]{}]/g;

/**
 * The first name that an object of a valid document has twice, however it is written: `a` and `\u0061` are one.
 * Looks at all of it once, and is for documents that are known to have one.
 */
export function repeatedName(text: string): string | undefined {
  const around: Set<string>[] = [];
  for (const [part, quoted, colon] of text.matchAll(PARTS)) {
    if (part === '[' || part === '{') around.push(new Set());
    else if (part === ']' || part === '}') around.pop();
    if (quoted === undefined || colon === undefined) continue;
    const name = JSON.parse(quoted) as string;
    const names = around.at(-1);
    if (names?.has(name)) return name;
    names?.add(name);
  }
  return undefined;
}
