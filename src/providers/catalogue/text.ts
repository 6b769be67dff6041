const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

/** A shop's text without entities, control and direction characters, cut to `most`. */
export const plain = (text: string, most: number): string =>
  text
    .replace(/&(?:quot|#39|apos|lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most);

const URL_MAX = 2000;

/** An address that may be a link's; empty for anything else, such as a script. */
export function linkOf(text: string): string {
  if (text.length > URL_MAX || !/^https?:\/\//i.test(text)) return '';
  return URL.parse(text)?.href ?? '';
}
