import type { MessageWords } from '#features/messaging/messages/messages.ts';
import type { Localised } from '#kernel/localised.ts';
import { linkLine, ours } from '#kernel/wording.ts';

interface UserTexts {
  confirm(username: string, link: string): MessageWords;
  code(code: string): MessageWords;
}

const en: UserTexts = {
  confirm: (username, link) => ({
    subject: 'Confirm your e-mail address',
    text: [
      `Hello ${username},`,
      '',
      'please confirm within 24 hours that this is your e-mail address:',
      linkLine(link, 'Confirm this address'),
      '',
      'If you know nothing of it, there is nothing to do.',
    ],
  }),
  code: (code) => ({
    subject: 'Your Archipay code',
    text: ['Your Archipay code, valid for 5 minutes:', ours(`Code: ${code}`)],
  }),
};

const id: UserTexts = {
  confirm: (username, link) => ({
    subject: 'Konfirmasi alamat e-mail Anda',
    text: [
      `Halo ${username},`,
      '',
      'konfirmasikan dalam 24 jam bahwa ini alamat e-mail Anda:',
      linkLine(link, 'Konfirmasi alamat ini', 'Tautan'),
      '',
      'Jika Anda tidak mengetahuinya, abaikan saja.',
    ],
  }),
  code: (code) => ({
    subject: 'Kode Archipay Anda',
    text: ['Kode Archipay Anda, berlaku 5 menit:', ours(`Code: ${code}`)],
  }),
};

export const USER_TEXTS: Localised<UserTexts> = { en, id };

/** What a mail says about a temporary password. */
export const temporaryNotes = (hours: number): Localised<string> => ({
  en: `This password is temporary. It stops working unless it is used within ${hours} hours; change it after your first log-in, by a link to reset it.`,
  id: `Kata sandi ini bersifat sementara. Kata sandi ini tidak berlaku lagi jika tidak dipakai dalam ${hours} jam; ganti setelah Anda masuk pertama kali, lewat tautan untuk mengaturnya ulang.`,
});
