import { readFile } from 'node:fs/promises';

/** Latin, Vietnamese, Greek and Cyrillic letters, from a package: nothing is loaded from elsewhere. */
const FILES = {
  regular: () => import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'),
  bold: () => import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'),
} as const;
export type Weight = keyof typeof FILES;

const fonts = new Map<Weight, Promise<Buffer>>();

/** The font, read once. */
export function fontOf(weight: Weight): Promise<Buffer> {
  const known = fonts.get(weight) ?? readFont(weight);
  fonts.set(weight, known);
  return known;
}

async function readFont(weight: Weight): Promise<Buffer> {
  return withoutShaping(await readFile(new URL(FILES[weight]())));
}

/** Ligatures, kerning and the like: a table of figures needs none, and to look for them takes milliseconds for each word. */
const SHAPING = /^(?:GDEF|GPOS|GSUB|kern|morx|kerx)$/;
const DIRECTORY = { count: 4, first: 12, each: 16 } as const;

/** The font with those tables under names that nothing looks for. */
function withoutShaping(font: Buffer): Buffer {
  const tables = font.readUInt16BE(DIRECTORY.count);
  for (let n = 0; n < tables; n += 1) {
    const at = DIRECTORY.first + n * DIRECTORY.each;
    if (SHAPING.test(font.toString('latin1', at, at + 4))) font.write('none', at, 'latin1');
  }
  return font;
}
