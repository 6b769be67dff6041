/** What a person may let an app do: look, change what moves no money, and prepare what moves it. */
export const APP_SCOPES = ['mcp:read', 'mcp:write', 'mcp:pay'] as const;
export type AppScope = (typeof APP_SCOPES)[number];

/** What no app is let in without. */
export const LEAST_SCOPE: AppScope = 'mcp:read';

const known = (word: string): AppScope | undefined => APP_SCOPES.find((one) => one === word);

/** The scopes that a text of OAuth names, all where it names none; undefined where one of them is unknown. */
export function scopesIn(text: string | undefined): AppScope[] | undefined {
  const words = (text ?? '').split(' ').filter((word) => word !== '');
  if (words.length === 0) return [...APP_SCOPES];
  if (words.some((word) => known(word) === undefined)) return undefined;
  return APP_SCOPES.filter((scope) => scope === LEAST_SCOPE || words.includes(scope));
}
