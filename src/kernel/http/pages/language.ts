/** The languages that pages for people are written in; the first is for readers of others. */
const LANGUAGES = ['en', 'id'] as const;
export type PageLanguage = (typeof LANGUAGES)[number];

const known = (tag: string | undefined): PageLanguage | undefined =>
  LANGUAGES.find((one) => one === tag?.trim().toLowerCase().split('-')[0]);

/** The reader's language: what the address names by `?lang=`, else the one they like best of what the browser says. */
export function pageLanguage(
  named: string | undefined,
  accepted: string | undefined,
): PageLanguage {
  const liked = (accepted ?? '').split(',').map((part) => {
    const [tag, ...rules] = part.split(';');
    const weight = rules.map((rule) => /^\s*q=([\d.]+)\s*$/.exec(rule)?.[1]).find(Boolean);
    return { language: known(tag), weight: weight === undefined ? 1 : Number(weight) };
  });
  const best = liked
    .filter(({ language, weight }) => language !== undefined && weight > 0)
    .sort((a, b) => b.weight - a.weight)[0];
  return known(named) ?? best?.language ?? 'en';
}
