import type { CredentialAddition, CredentialAdditions } from '#kernel/access/additions.ts';
import type { Db } from '#kernel/db/db.ts';
import type { PageLanguage } from '#kernel/http/pages/language.ts';
import { localMoment } from '#kernel/localised.ts';
import { SIGN_IN_TEXTS } from './texts.ts';

/** All kinds of additions to an account, as one. */
export type AllAdditions = Required<CredentialAdditions>;

/** Further additions are counted and not named: people do not read a long mail. */
const NAMED_MAX = 20;

export const allAdditions = (kinds: readonly CredentialAdditions[]): AllAdditions => ({
  async lock(tx: Db, user_id: number) {
    for (const kind of kinds) await kind.lock?.(tx, user_id);
  },
  async list(db, user_id, since) {
    const added: CredentialAddition[] = [];
    for (const kind of kinds) added.push(...(await kind.list(db, user_id, since)));
    return added.sort((a, b) => (a.at < b.at ? 1 : -1));
  },
  async undo(tx, user_id, since) {
    let undone = 0;
    for (const kind of kinds) undone += await kind.undo(tx, user_id, since);
    return undone;
  },
});

/** A line for each, newest first. */
export function changesInWords(
  added: readonly CredentialAddition[],
  language: PageLanguage,
): string[] {
  const named = added
    .slice(0, NAMED_MAX)
    .map(({ what, at }) => `${what[language]}, ${localMoment(language, at)}`);
  const more = added.length - named.length;
  return more > 0 ? [...named, SIGN_IN_TEXTS[language].more(more)] : named;
}
