import type { MessageWords } from '#features/messaging/messages/messages.ts';
import type { Localised } from '#kernel/localised.ts';
import { linkLine } from '#kernel/wording.ts';

interface ResetWish {
  readonly username: string;
  /** Of the client, where it is not named like the user. */
  readonly client: string | undefined;
  readonly link: string;
  /** What was added to the account since the last reset, each in a line. */
  readonly added: readonly string[];
}

interface SignInTexts {
  reset(wish: ResetWish): MessageWords;
  more(count: number): string;
  readonly pages: ResetPageTexts;
}

/** The page of the mailed link, and the page that requests one. */
interface ResetPageTexts {
  readonly gone: readonly [title: string, text: string, button: string];
  readonly title: string;
  readonly password: string;
  rule(least: number): string;
  readonly button: string;
  readonly logIn: string;
  readonly added: string;
  readonly undo: string;
  readonly forgotten: readonly [title: string, text: string];
  readonly address: string;
  readonly send: string;
}

const en: SignInTexts = {
  reset: ({ username, client, link, added }) => ({
    subject: 'Reset your Archipay password',
    text: [
      `Somebody asked to reset the password of ${client === undefined ? username : `${username} at ${client}`}.`,
      linkLine(link, 'Set a new password'),
      'The link works once, within an hour. If it was not you, there is nothing to do.',
      ...(added.length === 0
        ? []
        : [
            '',
            'Since the last reset this was added to the account:',
            ...added.map((what) => `- ${what}`),
            'If any of it is not yours, say so on the page: all of it is removed then.',
          ]),
    ],
  }),
  more: (count) => `and ${count} more`,
  pages: {
    gone: [
      'This link does not work any more',
      'Reset links work once, within an hour.',
      'Ask for a new one',
    ],
    title: 'Set a new password',
    password: 'New password',
    rule: (least) =>
      `At least ${least} characters. A few words that only you would put together are good.`,
    button: 'Set password',
    logIn: 'Log in',
    added: 'Since the last reset this was added to the account:',
    undo: 'Not all of this is mine: remove all of it',
    forgotten: [
      'Forgotten password',
      'We mail you a link to set a new password. It also shows what was added to your account lately, and takes it away if it is not yours.',
    ],
    address: 'Your e-mail address',
    send: 'Send me a link',
  },
};

const id: SignInTexts = {
  reset: ({ username, client, link, added }) => ({
    subject: 'Atur ulang kata sandi Archipay Anda',
    text: [
      `Ada permintaan untuk mengatur ulang kata sandi ${client === undefined ? username : `${username} di ${client}`}.`,
      linkLine(link, 'Buat kata sandi baru', 'Tautan'),
      'Tautan ini berlaku satu kali, dalam satu jam. Jika itu bukan Anda, abaikan saja.',
      ...(added.length === 0
        ? []
        : [
            '',
            'Sejak pengaturan ulang terakhir, ini ditambahkan ke akun:',
            ...added.map((what) => `- ${what}`),
            'Jika ada yang bukan milik Anda, katakan di halaman itu: semuanya akan dihapus.',
          ]),
    ],
  }),
  more: (count) => `dan ${count} lagi`,
  pages: {
    gone: [
      'Tautan ini tidak berlaku lagi',
      'Tautan untuk mengatur ulang berlaku satu kali, dalam satu jam.',
      'Minta tautan baru',
    ],
    title: 'Buat kata sandi baru',
    password: 'Kata sandi baru',
    rule: (least) =>
      `Paling sedikit ${least} karakter. Beberapa kata yang hanya Anda rangkai sudah baik.`,
    button: 'Simpan kata sandi',
    logIn: 'Masuk',
    added: 'Sejak pengaturan ulang terakhir, ini ditambahkan ke akun:',
    undo: 'Tidak semua ini milik saya: hapus semuanya',
    forgotten: [
      'Lupa kata sandi',
      'Kami mengirim tautan untuk membuat kata sandi baru lewat surel. Halamannya juga menampilkan apa yang baru ditambahkan ke akun Anda, dan menghapusnya jika bukan milik Anda.',
    ],
    address: 'Alamat e-mail Anda',
    send: 'Kirim tautan',
  },
};

export const SIGN_IN_TEXTS: Localised<SignInTexts> = { en, id };
