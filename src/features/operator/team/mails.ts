import type { Message, Messages } from '#features/messaging/messages/messages.ts';
import { THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import type { TeamRole } from '#kernel/http/declare/team-mark.ts';
import { linkLine, ours } from '#kernel/wording.ts';
import { listOwners } from './store.ts';

/** What a role is called, for people. */
export const ROLE_WORDS = {
  en: {
    owner: 'owner',
    developer: 'developer',
    finance: 'finance',
    support: 'support',
    viewer: 'viewer',
  },
  id: {
    owner: 'pemilik',
    developer: 'pengembang',
    finance: 'keuangan',
    support: 'layanan pelanggan',
    viewer: 'pembaca',
  },
} as const satisfies Record<string, Record<TeamRole, string>>;

/** More owners than this have a mailing list. */
const MAILED_MAX = 100;

interface Invited {
  readonly email: string;
  readonly team_role: TeamRole;
  readonly link: string;
  readonly hours: number;
}

/** In both languages of our pages: nothing is known of its reader. */
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
  subject: 'You are invited to a team on Archipay',
  text: [
    ours(
      `An owner of an organisation on Archipay invites you to its team, as ${ROLE_WORDS.en[team_role]}.`,
    ),
    ours(
      `Pemilik sebuah organisasi di Archipay mengundang Anda ke timnya, sebagai ${ROLE_WORDS.id[team_role]}.`,
    ),
    '',
    linkLine(link, 'Join the team'),
    ours(
      `The link works once, within ${hours} hours. Tautan ini berlaku satu kali, dalam ${hours} jam.`,
    ),
    '',
    'If you know nothing of it, there is nothing to do. Jika Anda tidak mengenalnya, abaikan surel ini.',
  ],
});

/** A change of a team, for its owners: who it is, and what has become of them. */
export interface TeamNotice {
  readonly client_id: number;
  readonly by: number;
  readonly user_id: number;
  readonly username: string;
  readonly what: { readonly en: string; readonly id: string };
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
      subject: 'The team of your organisation has changed',
      text: [
        `${username} (user ${user_id}) ${what.en}, by user ${by}.`,
        `${username} (pengguna ${user_id}) ${what.id}, oleh pengguna ${by}.`,
        '',
        'If you know nothing of it, remove that person, and change your password.',
        'Jika Anda tidak mengetahuinya, keluarkan orang itu dan ganti kata sandi Anda.',
      ],
    });
}
