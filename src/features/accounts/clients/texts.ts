import { TEMPORARY_NOTES } from '#features/accounts/users/users.ts';
import type { MessageWords } from '#features/messaging/messages/messages.ts';
import type { Localised } from '#kernel/localised.ts';
import { linkLine, ours } from '#kernel/wording.ts';

interface ClientWelcome {
  readonly alias: string;
  readonly password: string;
  readonly login: string;
  readonly confirm: string;
}

/** Contract: Events, client welcome with generated password and the links that open the account. */
export const CLIENT_TEXTS: Localised<(welcome: ClientWelcome) => MessageWords> = {
  en: ({ alias, password, login, confirm }) => ({
    subject: 'Welcome to Archipay: your admin account',
    text: [
      `Welcome to Archipay. The account of ${alias} is ready.`,
      '',
      ours(`Password: ${password}`),
      '',
      'Log in with it and this e-mail address here:',
      linkLine(login, 'Log in'),
      '',
      'Please confirm your e-mail address within 24 hours:',
      linkLine(confirm, 'Confirm this address', 'Confirm'),
      '',
      ours(`${TEMPORARY_NOTES.en} Never pass it on.`),
    ],
  }),
  id: ({ alias, password, login, confirm }) => ({
    subject: 'Selamat datang di Archipay: akun admin Anda',
    text: [
      `Selamat datang di Archipay. Akun ${alias} sudah siap.`,
      '',
      ours(`Kata sandi: ${password}`),
      '',
      'Masuk dengan kata sandi ini dan alamat e-mail ini di sini:',
      linkLine(login, 'Masuk', 'Tautan'),
      '',
      'Konfirmasikan alamat e-mail Anda dalam 24 jam:',
      linkLine(confirm, 'Konfirmasi alamat ini', 'Konfirmasi'),
      '',
      ours(`${TEMPORARY_NOTES.id} Jangan berikan kepada siapa pun.`),
    ],
  }),
};
