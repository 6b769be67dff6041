const URLS = /\bhttps?:\/\/[^\s\p{C}<>"'`]+/iu;
const ENDS = /[.,;:!?)\]}»”’]+$/u;
const LENGTH_MAX = 2048;

/** The first web address in a text; null where there is none. */
export function detectUrl(text: string): string | null {
  const found = URLS.exec(text)?.[0].replace(ENDS, '');
  return found !== undefined && found.length <= LENGTH_MAX && URL.canParse(found) ? found : null;
}
