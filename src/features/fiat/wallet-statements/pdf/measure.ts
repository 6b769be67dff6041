/** The width of a text of one line, in points. */
export type Measure = (text: string) => number;

/** Widths are sums of those of the characters, each of which is asked for once. */
export function measureOf(widthOf: (character: string) => number): Measure {
  const known = new Map<string, number>();
  return (text) => {
    let sum = 0;
    for (const character of text) {
      let width = known.get(character);
      if (width === undefined) {
        width = widthOf(character);
        known.set(character, width);
      }
      sum += width;
    }
    return sum;
  };
}

const CUT = '…';

/** The text in lines of that width, broken between words, and within one that is too long. What is beyond the last line is cut. */
export function wrapped(text: string, width: number, measure: Measure, most: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).flatMap((one) => broken(one, width, measure))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (measure(longer) <= width) {
      line = longer;
      continue;
    }
    if (lines.length === most - 1) return [...lines, cut(longer, width, measure)];
    lines.push(line);
    line = word;
  }
  return line === '' ? lines : [...lines, line];
}

/** A word in pieces that fit. */
function broken(word: string, width: number, measure: Measure): string[] {
  if (measure(word) <= width) return word === '' ? [] : [word];
  const pieces: string[] = [];
  let piece = '';
  for (const character of word) {
    if (piece !== '' && measure(piece + character) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}

/** The beginning of a text that fits, and an ellipsis where that is not all. */
export function cut(text: string, width: number, measure: Measure): string {
  if (measure(text) <= width) return text;
  const kept = [...text];
  while (kept.length > 0 && measure(kept.join('') + CUT) > width) kept.pop();
  return kept.join('').trimEnd() + CUT;
}
