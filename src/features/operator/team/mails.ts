import type { Message, Messages } from '#features/messaging/messages/messages.ts';
import { THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import type { TeamRole } from '#kernel/http/declare/team-mark.ts';
import { inEachLanguage, type Localised } from '#kernel/localised.ts';
import { listOwners } from './store.ts';
import { ROLE_WORDS, TEAM_TEXTS } from './texts.ts';

/** More owners than this have a mailing list. */
const MAILED_MAX = 100;

interface Invited {
  readonly email: string;
  readonly team_role: TeamRole;
  readonly link: string;
  readonly hours: number;
}

/** In both languages: nothing is known of its reader. */
export const invitationMail = ({
  email,
  team_role,
  link,
  hours,
}: Invited): Omit<Message, 'user_id'> => ({
  kind: 'invitation',
  channel: 'email',
  to: email,
  purpose: 'team-invitation',
  words: inEachLanguage(TEAM_TEXTS, ({ invitation }, language) =>
    invitation(ROLE_WORDS[language][team_role], link, hours),
  ),
  language: 'both',
});

/** A change of a team, for its owners: who it is, and what has become of them. */
export interface TeamNotice {
  readonly client_id: number;
  readonly by: number;
  readonly user_id: number;
  readonly username: string;
  readonly what: Localised<string>;
}

/** Mails all owners, also the one who did it: with a stolen log-in it was not them. */
export async function mailTeamOwners(
  { messages }: { readonly messages: Messages },
  tx: Db,
  { client_id, by, user_id, username, what }: TeamNotice,
): Promise<void> {
  for (const owner of await listOwners(tx, client_id, MAILED_MAX))
    await messages.send(tx, THE_SERVICE, {
      kind: 'notice',
      channel: 'email',
      to: owner.email,
      user_id: owner.user_id,
      purpose: 'team-changed',
      words: inEachLanguage(TEAM_TEXTS, ({ changed }, language) =>
        changed({ username, user_id, by, what: what[language] }),
      ),
    });
}
