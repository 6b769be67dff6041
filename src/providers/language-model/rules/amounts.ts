import type { Language } from './language.ts';

/**
 * A number as people write it in that language, as plain decimal text. Where both marks are used the last
 * one is the decimal one; a lone comma before three digits parts thousands in English only. What an
 * amount of money comes to is for its owner to confirm.
 */
export function plainNumber(text: string, language: Language): string {
  const [comma, dot] = [text.lastIndexOf(','), text.lastIndexOf('.')];
  if (comma >= 0 && dot >= 0) {
    const mark = comma > dot ? ',' : '.';
    return decimalAt(text, mark);
  }
  if (comma < 0 && dot < 0) return text;
  const mark = comma >= 0 ? ',' : '.';
  const isRepeated = text.indexOf(mark) !== text.lastIndexOf(mark);
  const isEnglishGroup = mark === ',' && language === 'en' && /^[1-9]\d{0,2},\d{3}$/.test(text);
  if (isRepeated || isEnglishGroup) return text.replaceAll(mark, '');
  return text.replace(mark, '.');
}

function decimalAt(text: string, mark: string): string {
  const at = text.lastIndexOf(mark);
  const whole = text.slice(0, at).replaceAll(/[.,]/g, '');
  return `${whole}.${text.slice(at + 1)}`;
}
