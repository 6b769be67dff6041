import type { Localised } from '#kernel/localised.ts';

/** The page where welcome mails lead; the form for developers is in English alone, as the reference is. */
interface LoginTexts {
  readonly title: string;
  readonly atOrganisation: readonly [text: string, button: string];
  /** Paragraphs. */
  readonly elsewhere: readonly string[];
  readonly forgotten: string;
}

export const LOGIN_TEXTS: Localised<LoginTexts> = {
  en: {
    title: 'Log in',
    atOrganisation: ["You log in at your organisation's application.", 'Go there'],
    elsewhere: [
      'You log in in the application of your organisation: open it, and enter the user name or e-mail address and the password of your welcome message there.',
      'This address is the service behind it, and has no log-in of its own. If you do not know where the application is, ask the person who invited you.',
    ],
    forgotten: 'Forgotten your password?',
  },
  id: {
    title: 'Masuk',
    atOrganisation: ['Anda masuk di aplikasi organisasi Anda.', 'Buka aplikasi'],
    elsewhere: [
      'Anda masuk di aplikasi organisasi Anda: buka aplikasi itu, lalu isi nama pengguna atau alamat e-mail dan kata sandi dari pesan selamat datang.',
      'Alamat ini adalah layanan di baliknya, dan tidak memiliki halaman masuk sendiri. Jika Anda tidak tahu di mana aplikasinya, tanyakan kepada orang yang mengundang Anda.',
    ],
    forgotten: 'Lupa kata sandi?',
  },
};
