import type { MessageWords } from '#features/messaging/messages/messages.ts';
import type { Localised } from '#kernel/localised.ts';
import type { ChangeKind, PendingChange } from './store.ts';

type Facts = Pick<PendingChange, 'subject' | 'details'>;

interface ChangeTexts {
  /** The request in words for the user it concerns. Other people's text is one line of it. */
  readonly changes: Readonly<Record<ChangeKind, (facts: Facts) => readonly string[]>>;
  readonly proposed: Explained;
  ordered(at: string): Explained;
  readonly button: string;
  voided(lines: readonly string[]): MessageWords;
  /** The page behind the link, with its two buttons: yes and no. */
  readonly page: {
    readonly gone: readonly [title: string, text: string];
    readonly title: string;
    readonly proposed: readonly [yes: string, no: string];
    readonly ordered: readonly [yes: string, no: string];
  };
}

interface Explained {
  readonly subject: string;
  /** Each a whole sentence, before those of the change and after them. */
  readonly before: string;
  readonly after: readonly string[];
}

const en: ChangeTexts = {
  changes: {
    email: ({ subject }) => [
      `The e-mail address of your account is to become ${subject}.`,
      'A reader of mail there could then set a new password and get into your account.',
    ],
    'external-login': ({ subject, details }) => [
      `An account of ${details['auth_provider'] ?? 'an external provider'} is to log in as you: ${details['email'] ?? subject}.`,
      'The holder of that account could then do everything that you can, also with your money.',
    ],
    wallet: ({ subject }) => [
      `A wallet is to log in as you: ${subject}.`,
      'The holder of it could then do everything that you can, also with your money.',
    ],
    'second-factor-removal': () => [
      'The two-factor authentication of your account is to be switched off.',
      'Your password alone would then log you in.',
    ],
  },
  proposed: {
    subject: 'Confirm a change of your Archipay account',
    before: 'An administrator asks for a change of your Archipay account that only you can allow.',
    after: [
      'Confirm it only if you want that and it is yours.',
      'Without your consent nothing changes, and after 24 hours the request lapses.',
    ],
  },
  ordered: (at) => ({
    subject: 'A change of your Archipay account is on its way',
    before: 'An operator of Archipay was asked to help with your account.',
    after: [
      `This takes effect on ${at}, unless you have it at once or stop it.`,
      'If you did not ask for it, stop it.',
    ],
  }),
  button: 'See and decide',
  voided: (lines) => ({
    subject: 'A change of your Archipay account was called off',
    text: [
      'An operator of Archipay had ordered a change of your account:',
      ...lines,
      'It does not take effect: the account that gave the order is no longer allowed to.',
      'If you still need help with your account, ask the operator again.',
    ],
  }),
  page: {
    gone: [
      'This link does not work any more',
      'It was used, has lapsed, or was replaced by a newer one.',
    ],
    title: 'A change of your account',
    proposed: ['Confirm', 'Refuse'],
    ordered: ['Do it now', 'Stop it'],
  },
};

const id: ChangeTexts = {
  changes: {
    email: ({ subject }) => [
      `Alamat e-mail akun Anda akan menjadi ${subject}.`,
      'Orang yang membaca surel di sana kemudian dapat membuat kata sandi baru dan masuk ke akun Anda.',
    ],
    'external-login': ({ subject, details }) => [
      `Sebuah akun dari ${details['auth_provider'] ?? 'penyedia luar'} akan dapat masuk sebagai Anda: ${details['email'] ?? subject}.`,
      'Pemegang akun itu kemudian dapat melakukan semua yang dapat Anda lakukan, juga dengan uang Anda.',
    ],
    wallet: ({ subject }) => [
      `Sebuah dompet akan dapat masuk sebagai Anda: ${subject}.`,
      'Pemegangnya kemudian dapat melakukan semua yang dapat Anda lakukan, juga dengan uang Anda.',
    ],
    'second-factor-removal': () => [
      'Autentikasi dua faktor akun Anda akan dimatikan.',
      'Kata sandi Anda saja kemudian cukup untuk masuk.',
    ],
  },
  proposed: {
    subject: 'Konfirmasi perubahan akun Archipay Anda',
    before:
      'Seorang administrator meminta perubahan akun Archipay Anda yang hanya dapat Anda izinkan.',
    after: [
      'Konfirmasikan hanya jika Anda menginginkannya dan itu milik Anda.',
      'Tanpa persetujuan Anda tidak ada yang berubah, dan setelah 24 jam permintaan ini gugur.',
    ],
  },
  ordered: (at) => ({
    subject: 'Akun Archipay Anda akan diubah',
    before: 'Operator Archipay diminta membantu akun Anda.',
    after: [
      `Perubahan ini berlaku pada ${at}, kecuali Anda memberlakukannya sekarang atau menghentikannya.`,
      'Jika Anda tidak memintanya, hentikan.',
    ],
  }),
  button: 'Lihat dan putuskan',
  voided: (lines) => ({
    subject: 'Perubahan akun Archipay Anda dibatalkan',
    text: [
      'Operator Archipay telah memerintahkan perubahan akun Anda:',
      ...lines,
      'Perubahan itu tidak berlaku: akun yang memberi perintah tidak lagi berhak.',
      'Jika Anda masih membutuhkan bantuan untuk akun Anda, hubungi operator lagi.',
    ],
  }),
  page: {
    gone: [
      'Tautan ini tidak berlaku lagi',
      'Tautan ini sudah dipakai, sudah lewat waktu, atau diganti dengan yang lebih baru.',
    ],
    title: 'Perubahan akun Anda',
    proposed: ['Konfirmasi', 'Tolak'],
    ordered: ['Lakukan sekarang', 'Hentikan'],
  },
};

export const CHANGE_TEXTS: Localised<ChangeTexts> = { en, id };
