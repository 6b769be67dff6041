import type { PageLanguage } from '#kernel/http/pages/language.ts';
import type { AppScope } from './scopes.ts';

/** Why the form is there again. */
export type ConsentObstacle = 'wrong' | 'code' | 'wrongCode' | 'inactive' | 'busy';

interface Texts {
  readonly title: (app: string) => string;
  readonly offer: (app: string, place: string) => string;
  readonly stranger: string;
  readonly may: string;
  readonly scopes: Readonly<Record<AppScope, string>>;
  readonly name: string;
  readonly password: string;
  readonly code: string;
  readonly codeNote: string;
  readonly allow: string;
  readonly deny: string;
  readonly wrong: Readonly<Record<ConsentObstacle, string>>;
  readonly allowed: readonly [string, string];
  readonly denied: readonly [string, string];
  readonly onward: (place: string) => string;
  readonly unknown: readonly [string, Readonly<Record<'app' | 'redirect', string>>];
  readonly amiss: readonly [string, string];
  readonly until: string;
}

const EN: Texts = {
  title: (app) => `Let ${app} in?`,
  offer: (app, place) =>
    `The app <strong>${app}</strong> asks to act for you here. When you allow it, you go on to <strong>${place}</strong>.`,
  stranger:
    'The app has chosen its own name, which is not checked. Allow it only if you have just started this yourself.',
  may: 'It may',
  scopes: {
    'mcp:read': 'see your wallets, balances, transactions and orders',
    'mcp:write': 'make wallets and orders for you, without paying anything',
    'mcp:pay': 'pay and send money from your wallets, each time after it has asked you',
  },
  name: 'E-mail or user name',
  password: 'Password',
  code: 'Code of your authenticator',
  codeNote: 'Only where you have a second factor.',
  allow: 'Log in and allow',
  deny: 'Do not allow',
  wrong: {
    wrong: 'E-mail or password is not right.',
    code: 'Your account has a second factor: enter the password again, with the code of your authenticator.',
    wrongCode: 'The code is not right. Enter the password again, with a new code.',
    inactive: 'This account cannot be used at the moment. Ask your organisation.',
    busy: 'There were too many attempts. Wait a quarter of an hour, then try again.',
  },
  allowed: ['Allowed', 'The app is let in.'],
  denied: ['Not allowed', 'The app was not let in.'],
  onward: (place) => `Go on to ${place}`,
  unknown: [
    'This link does not work',
    {
      app: 'The app that sent you here is not known. Start again in the app.',
      redirect:
        'The app that sent you here wants you to go back to an address that is not its own. Nothing was allowed.',
    },
  ],
  amiss: ['The app asks in a way that is not taken', 'Nothing was allowed.'],
  until:
    'You can end it at any time: it stands among your log-ins. After 90 days the app has to ask again.',
};

const ID: Texts = {
  title: (app) => `Izinkan ${app}?`,
  offer: (app, place) =>
    `Aplikasi <strong>${app}</strong> meminta izin bertindak atas nama Anda. Jika diizinkan, Anda diteruskan ke <strong>${place}</strong>.`,
  stranger:
    'Nama aplikasi dipilih sendiri oleh pembuatnya dan tidak diperiksa. Izinkan hanya jika Anda sendiri yang baru saja memulainya.',
  may: 'Aplikasi boleh',
  scopes: {
    'mcp:read': 'melihat dompet, saldo, transaksi, dan pesanan Anda',
    'mcp:write': 'membuat dompet dan pesanan untuk Anda, tanpa membayar apa pun',
    'mcp:pay':
      'membayar dan mengirim uang dari dompet Anda, setiap kali setelah bertanya kepada Anda',
  },
  name: 'E-mail atau nama pengguna',
  password: 'Kata sandi',
  code: 'Kode dari aplikasi autentikator',
  codeNote: 'Hanya jika Anda memakai faktor kedua.',
  allow: 'Masuk dan izinkan',
  deny: 'Jangan izinkan',
  wrong: {
    wrong: 'E-mail atau kata sandi tidak benar.',
    code: 'Akun Anda memakai faktor kedua: masukkan kata sandi lagi, beserta kode dari aplikasi autentikator.',
    wrongCode: 'Kode tidak benar. Masukkan kata sandi lagi, beserta kode yang baru.',
    inactive: 'Akun ini sedang tidak dapat dipakai. Hubungi organisasi Anda.',
    busy: 'Terlalu banyak percobaan. Tunggu seperempat jam, lalu coba lagi.',
  },
  allowed: ['Diizinkan', 'Aplikasi telah diizinkan.'],
  denied: ['Tidak diizinkan', 'Aplikasi tidak diizinkan.'],
  onward: (place) => `Lanjut ke ${place}`,
  unknown: [
    'Tautan ini tidak berfungsi',
    {
      app: 'Aplikasi yang mengirim Anda ke sini tidak dikenal. Mulai lagi dari aplikasi itu.',
      redirect:
        'Aplikasi itu meminta Anda kembali ke alamat yang bukan miliknya. Tidak ada yang diizinkan.',
    },
  ],
  amiss: ['Permintaan aplikasi tidak dapat diterima', 'Tidak ada yang diizinkan.'],
  until:
    'Anda dapat mengakhirinya kapan saja dari daftar sesi masuk Anda. Setelah 90 hari aplikasi harus meminta lagi.',
};

export const CONSENT_TEXTS: Readonly<Record<PageLanguage, Texts>> = { en: EN, id: ID };
