import type { MessageWords } from '#features/messaging/messages/messages.ts';
import type { Localised } from '#kernel/localised.ts';
import { type Line, linkLine, ours } from '#kernel/wording.ts';

interface ProfileTexts {
  confirm(link: string): MessageWords;
  undo(address: string, link: string): MessageWords;
  phoneCode(code: string): readonly Line[];
  phoneMoved: readonly Line[];
  closing(day: string): MessageWords;
  hindered(items: readonly string[]): MessageWords;
  /** By the type of what is in the way of a closing. */
  readonly inTheWay: Readonly<Record<string, string>>;
  readonly pages: {
    readonly gone: readonly [title: string, text: string];
    readonly confirm: readonly [title: string, text: string, button: string];
    readonly undo: readonly [title: string, text: string, button: string];
    readonly reset: string;
    readonly logIn: string;
  };
}

const en: ProfileTexts = {
  confirm: (link) => ({
    subject: 'Confirm your new e-mail address',
    text: [
      'This address is to become that of an Archipay account.',
      'Confirm within 24 hours that it is yours:',
      linkLine(link, 'Confirm this address'),
      'If you know nothing of it, there is nothing to do.',
    ],
  }),
  undo: (address, link) => ({
    subject: 'Your e-mail address is about to change',
    text: [
      `The e-mail address of your Archipay account is to become ${address}.`,
      'If that was not you, undo it within 72 hours. This address stays then, or comes back, and every log-in ends:',
      linkLine(link, 'Undo the change'),
      'If it was you, there is nothing to do.',
    ],
  }),
  phoneCode: (code) => [
    'Your code for the new phone number, valid for 5 minutes:',
    ours(`Code: ${code}`),
    'Give it to no one.',
  ],
  phoneMoved: [
    'The phone number of your Archipay account was changed: this is not it any more.',
    'If that was not you, reset your password now, and tell Archipay.',
  ],
  closing: (day) => ({
    subject: 'Your account is being closed',
    text: [
      `Your Archipay account is to be erased on ${day}. Until then no money moves in it.`,
      'To keep the account, log in and cancel the closing.',
      'If that was not you, cancel it, and set a new password.',
    ],
  }),
  hindered: (items) => ({
    subject: 'Your account cannot be closed yet',
    text: [
      'Your Archipay account was to be erased now, but something is still in it:',
      ...items,
      'To pay it out, log in, cancel the closing, and close the account again after it.',
    ],
  }),
  inTheWay: {
    balance: 'balance',
    hold: 'hold',
    payment: 'payment',
    batch: 'batch',
    card: 'card',
    dispute: 'dispute',
    request: 'request',
    invoice: 'invoice',
    bank_link: 'bank link',
    debt: 'debt',
    last_admin: 'last admin',
  },
  pages: {
    gone: ['This link does not work any more', 'It was used before, or its time is over.'],
    confirm: [
      'Confirm your new e-mail address',
      'Is the address yours to which the link was sent? Then confirm it.',
      'Yes, confirm it',
    ],
    undo: [
      'Undo the change of your e-mail address',
      'The address of before stays or comes back, and every log-in ends. Set a new password after it.',
      'Undo the change',
    ],
    reset: 'Set a new password',
    logIn: 'Log in',
  },
};

const id: ProfileTexts = {
  confirm: (link) => ({
    subject: 'Konfirmasi alamat e-mail baru Anda',
    text: [
      'Alamat ini akan menjadi alamat sebuah akun Archipay.',
      'Konfirmasikan dalam 24 jam bahwa alamat ini milik Anda:',
      linkLine(link, 'Konfirmasi alamat ini'),
      'Jika Anda tidak tahu tentang hal ini, Anda tidak perlu melakukan apa pun.',
    ],
  }),
  undo: (address, link) => ({
    subject: 'Alamat e-mail Anda akan diubah',
    text: [
      `Alamat e-mail akun Archipay Anda akan menjadi ${address}.`,
      'Jika itu bukan Anda, batalkan dalam 72 jam. Alamat ini tetap berlaku atau dikembalikan, dan semua sesi berakhir:',
      linkLine(link, 'Batalkan perubahan'),
      'Jika itu memang Anda, Anda tidak perlu melakukan apa pun.',
    ],
  }),
  phoneCode: (code) => [
    'Kode Anda untuk nomor telepon baru, berlaku 5 menit:',
    ours(`Code: ${code}`),
    'Jangan berikan kepada siapa pun.',
  ],
  phoneMoved: [
    'Nomor telepon akun Archipay Anda telah diubah: nomor ini tidak berlaku lagi.',
    'Jika itu bukan Anda, segera atur ulang kata sandi Anda dan beri tahu Archipay.',
  ],
  closing: (day) => ({
    subject: 'Akun Anda akan ditutup',
    text: [
      `Akun Archipay Anda akan dihapus pada ${day}. Sampai saat itu tidak ada uang yang berpindah di dalamnya.`,
      'Untuk mempertahankan akun ini, masuk dan batalkan penutupannya.',
      'Jika itu bukan Anda, batalkan penutupan dan buat kata sandi baru.',
    ],
  }),
  hindered: (items) => ({
    subject: 'Akun Anda belum dapat ditutup',
    text: [
      'Akun Archipay Anda seharusnya dihapus sekarang, tetapi masih ada isinya:',
      ...items,
      'Untuk mengeluarkannya, masuk, batalkan penutupan, lalu tutup akun lagi setelahnya.',
    ],
  }),
  inTheWay: {
    balance: 'saldo',
    hold: 'dana ditahan',
    payment: 'pembayaran',
    batch: 'pembayaran massal',
    card: 'kartu',
    dispute: 'sengketa',
    request: 'permintaan',
    invoice: 'tagihan',
    bank_link: 'rekening bank tertaut',
    debt: 'utang',
    last_admin: 'admin terakhir',
  },
  pages: {
    gone: ['Tautan ini tidak berlaku lagi', 'Tautan ini sudah dipakai, atau waktunya sudah habis.'],
    confirm: [
      'Konfirmasi alamat e-mail baru Anda',
      'Apakah alamat tujuan tautan ini milik Anda? Jika ya, konfirmasikan.',
      'Ya, konfirmasi',
    ],
    undo: [
      'Batalkan perubahan alamat e-mail Anda',
      'Alamat sebelumnya tetap berlaku atau dikembalikan, dan semua sesi berakhir. Setelah itu buat kata sandi baru.',
      'Batalkan perubahan',
    ],
    reset: 'Buat kata sandi baru',
    logIn: 'Masuk',
  },
};

export const PROFILE_TEXTS: Localised<ProfileTexts> = { en, id };
