import type { MessageWords } from '#features/messaging/messages/messages.ts';
import type { TeamRole } from '#kernel/http/declare/team-mark.ts';
import type { Localised } from '#kernel/localised.ts';
import { linkLine, ours } from '#kernel/wording.ts';

/** What a role is called, for people. */
export const ROLE_WORDS: Localised<Readonly<Record<TeamRole, string>>> = {
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
};

interface ChangedMember {
  readonly username: string;
  readonly user_id: number;
  readonly by: number;
  /** What has become of the person. */
  readonly what: string;
}

interface TeamTexts {
  invitation(role: string, link: string, hours: number): MessageWords;
  changed(member: ChangedMember): MessageWords;
}

export const TEAM_TEXTS: Localised<TeamTexts> = {
  en: {
    invitation: (role, link, hours) => ({
      subject: 'You are invited to a team on Archipay',
      text: [
        ours(`An owner of an organisation on Archipay invites you to its team, as ${role}.`),
        linkLine(link, 'Join the team'),
        ours(`The link works once, within ${hours} hours.`),
        'If you know nothing of it, there is nothing to do.',
      ],
    }),
    changed: ({ username, user_id, by, what }) => ({
      subject: 'The team of your organisation has changed',
      text: [
        `${username} (user ${user_id}) ${what}, by user ${by}.`,
        'If you know nothing of it, remove that person, and change your password.',
      ],
    }),
  },
  id: {
    invitation: (role, link, hours) => ({
      subject: 'Anda diundang ke sebuah tim di Archipay',
      text: [
        ours(`Pemilik sebuah organisasi di Archipay mengundang Anda ke timnya, sebagai ${role}.`),
        linkLine(link, 'Gabung ke tim', 'Tautan'),
        ours(`Tautan ini berlaku satu kali, dalam ${hours} jam.`),
        'Jika Anda tidak mengenalnya, abaikan surel ini.',
      ],
    }),
    changed: ({ username, user_id, by, what }) => ({
      subject: 'Tim organisasi Anda berubah',
      text: [
        `${username} (pengguna ${user_id}) ${what}, oleh pengguna ${by}.`,
        'Jika Anda tidak mengetahuinya, keluarkan orang itu dan ganti kata sandi Anda.',
      ],
    }),
  },
};
