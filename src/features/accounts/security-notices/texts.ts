import type { Localised } from '#kernel/localised.ts';
import { type Line, linkLine } from '#kernel/wording.ts';
import type { SecurityNoticeChangeKind } from './store.ts';

interface Notice {
  readonly subject: string;
  lineOf(detail: string): string;
}

interface NoticeTexts {
  readonly notices: Readonly<Record<SecurityNoticeChangeKind, Notice>>;
  /** The subject where there are several. */
  readonly several: string;
  /** The advice depends on whether this address is still the account's. */
  reset(page: string): readonly Line[];
  readonly addressChanged: string;
}

const en: NoticeTexts = {
  notices: {
    'external-login-added': {
      subject: 'A new way to log in to your Archipay account',
      lineOf: (detail) => `An external log-in was added: ${detail}.`,
    },
    'registered-externally': {
      subject: 'Your Archipay account',
      lineOf: (detail) =>
        `An account was opened for this address by an external log-in: ${detail}.`,
    },
    'external-login-removed': {
      subject: 'A way to log in to your Archipay account was removed',
      lineOf: (detail) => `An external log-in was removed: ${detail}.`,
    },
    'two-factor-enabled': {
      subject: 'Two-factor authentication was switched on',
      lineOf: () =>
        'Two-factor authentication was switched on: logging in takes a code from now on.',
    },
    'two-factor-disabled': {
      subject: 'Two-factor authentication was switched off',
      lineOf: () =>
        'Two-factor authentication was switched off: logging in takes no code any more.',
    },
    'backup-codes-shown': {
      subject: 'Your Archipay backup codes were shown',
      lineOf: () => 'The backup codes of your two-factor authentication were shown.',
    },
    'email-changed': {
      subject: 'Your e-mail address was changed',
      lineOf: () => 'The e-mail address of your account was changed: this is not it any more.',
    },
    'phone-changed': {
      subject: 'Your phone number was changed',
      lineOf: () => 'The phone number of your account was changed.',
    },
    'password-changed': {
      subject: 'Your Archipay password was changed',
      lineOf: () => 'Your password was changed.',
    },
    'wallet-proven': {
      subject: 'A wallet was added to your Archipay account',
      lineOf: (detail) => `A signature has proven that this wallet is yours: ${detail}.`,
    },
    'wallet-proof-ended': {
      subject: 'A wallet no longer counts as yours at Archipay',
      lineOf: (detail) =>
        `This wallet no longer counts as yours: ${detail}. It was removed, or its key has signed for another account.`,
    },
    'device-added': {
      subject: 'A new device at your Archipay account',
      lineOf: (detail) => `A device was logged in and stays so: ${detail}.`,
    },
    'refresh-token-reused': {
      subject: 'A device was logged out of your Archipay account',
      lineOf: () =>
        'A log-in of one of your devices was used twice, as after a theft. That device was logged out.',
    },
    'passkey-added': {
      subject: 'A passkey was added to your Archipay account',
      lineOf: (detail) => `A passkey was added, which logs its holder in: ${detail}.`,
    },
    'passkey-removed': {
      subject: 'A passkey was removed from your Archipay account',
      lineOf: (detail) => `A passkey was removed: ${detail}.`,
    },
    'passkey-copied': {
      subject: 'A passkey of your Archipay account may have been copied',
      lineOf: () =>
        'A passkey counted its signatures backwards, as a copy does, and was refused. Remove it, and add another.',
    },
  },
  several: 'Your Archipay account was changed',
  reset: (page) => [
    'If that was not you, ask for a password reset now.',
    'The page that its mail leads to lists what was added to your account and undoes it if you say so.',
    linkLine(page, 'Secure the account'),
  ],
  addressChanged:
    'If that was not you, tell your administrator or Archipay at once: only an operator can give you your account back.',
};

const id: NoticeTexts = {
  notices: {
    'external-login-added': {
      subject: 'Cara baru untuk masuk ke akun Archipay Anda',
      lineOf: (detail) => `Cara masuk lewat penyedia luar telah ditambahkan: ${detail}.`,
    },
    'registered-externally': {
      subject: 'Akun Archipay Anda',
      lineOf: (detail) => `Sebuah akun dibuka untuk alamat ini lewat penyedia luar: ${detail}.`,
    },
    'external-login-removed': {
      subject: 'Sebuah cara untuk masuk ke akun Archipay Anda dihapus',
      lineOf: (detail) => `Cara masuk lewat penyedia luar telah dihapus: ${detail}.`,
    },
    'two-factor-enabled': {
      subject: 'Autentikasi dua faktor diaktifkan',
      lineOf: () =>
        'Autentikasi dua faktor diaktifkan: mulai sekarang Anda memerlukan kode untuk masuk.',
    },
    'two-factor-disabled': {
      subject: 'Autentikasi dua faktor dimatikan',
      lineOf: () =>
        'Autentikasi dua faktor dimatikan: Anda tidak lagi memerlukan kode untuk masuk.',
    },
    'backup-codes-shown': {
      subject: 'Kode cadangan Archipay Anda ditampilkan',
      lineOf: () => 'Kode cadangan autentikasi dua faktor Anda ditampilkan.',
    },
    'email-changed': {
      subject: 'Alamat e-mail Anda diubah',
      lineOf: () => 'Alamat e-mail akun Anda diubah: alamat ini tidak berlaku lagi.',
    },
    'phone-changed': {
      subject: 'Nomor telepon Anda diubah',
      lineOf: () => 'Nomor telepon akun Anda diubah.',
    },
    'password-changed': {
      subject: 'Kata sandi Archipay Anda diubah',
      lineOf: () => 'Kata sandi Anda diubah.',
    },
    'wallet-proven': {
      subject: 'Sebuah dompet ditambahkan ke akun Archipay Anda',
      lineOf: (detail) =>
        `Sebuah tanda tangan telah membuktikan bahwa dompet ini milik Anda: ${detail}.`,
    },
    'wallet-proof-ended': {
      subject: 'Sebuah dompet tidak lagi dianggap milik Anda di Archipay',
      lineOf: (detail) =>
        `Dompet ini tidak lagi dianggap milik Anda: ${detail}. Dompet ini dihapus, atau kuncinya telah menandatangani untuk akun lain.`,
    },
    'device-added': {
      subject: 'Perangkat baru di akun Archipay Anda',
      lineOf: (detail) => `Sebuah perangkat telah masuk dan tetap masuk: ${detail}.`,
    },
    'refresh-token-reused': {
      subject: 'Sebuah perangkat dikeluarkan dari akun Archipay Anda',
      lineOf: () =>
        'Sesi salah satu perangkat Anda dipakai dua kali, seperti setelah pencurian. Perangkat itu telah dikeluarkan.',
    },
    'passkey-added': {
      subject: 'Sebuah passkey ditambahkan ke akun Archipay Anda',
      lineOf: (detail) => `Sebuah passkey ditambahkan, dan pemegangnya dapat masuk: ${detail}.`,
    },
    'passkey-removed': {
      subject: 'Sebuah passkey dihapus dari akun Archipay Anda',
      lineOf: (detail) => `Sebuah passkey dihapus: ${detail}.`,
    },
    'passkey-copied': {
      subject: 'Sebuah passkey akun Archipay Anda mungkin telah disalin',
      lineOf: () =>
        'Penghitung tanda tangan sebuah passkey bergerak mundur, seperti pada salinan, sehingga passkey itu ditolak. Hapus passkey itu, dan tambahkan yang lain.',
    },
  },
  several: 'Akun Archipay Anda diubah',
  reset: (page) => [
    'Jika itu bukan Anda, segera minta pengaturan ulang kata sandi.',
    'Halaman di balik tautan surelnya mencantumkan apa yang ditambahkan ke akun Anda, dan menghapusnya jika Anda mau.',
    linkLine(page, 'Amankan akun', 'Tautan'),
  ],
  addressChanged:
    'Jika itu bukan Anda, segera beri tahu administrator Anda atau Archipay: hanya operator yang dapat mengembalikan akun Anda.',
};

export const SECURITY_NOTICE_TEXTS: Localised<NoticeTexts> = { en, id };
