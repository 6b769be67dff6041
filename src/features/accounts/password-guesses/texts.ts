import type { MessageWords } from '#features/messaging/messages/messages.ts';
import type { Localised } from '#kernel/localised.ts';

/** For the owner of an account whose password was guessed at so often within a day. */
export const GUESS_TEXTS: Localised<(failures: number) => MessageWords> = {
  en: (failures) => ({
    subject: 'Wrong passwords were tried for your Archipay account',
    text: [
      `Within a day ${failures} wrong passwords were tried for the account of this e-mail address.`,
      'If that was you, there is nothing to do.',
      '',
      'If it was not you: no guess was right, and further guesses are slowed down from places where you have never logged in.',
      'Make sure that your password is long and used nowhere else; you can ask for a link to reset it where you log in.',
      'Switch two-factor authentication on if it is not.',
    ],
  }),
  id: (failures) => ({
    subject: 'Kata sandi yang salah telah dicoba untuk akun Archipay Anda',
    text: [
      `Dalam satu hari ${failures} kata sandi yang salah dicoba untuk akun dengan alamat e-mail ini.`,
      'Jika itu Anda, Anda tidak perlu melakukan apa pun.',
      '',
      'Jika itu bukan Anda: tidak ada tebakan yang benar, dan tebakan berikutnya diperlambat dari tempat yang belum pernah Anda pakai untuk masuk.',
      'Pastikan kata sandi Anda panjang dan tidak dipakai di tempat lain; Anda dapat meminta tautan untuk mengaturnya ulang di halaman masuk.',
      'Aktifkan autentikasi dua faktor jika belum aktif.',
    ],
  }),
};
