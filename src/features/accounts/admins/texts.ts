import { TEMPORARY_NOTES } from '#features/accounts/users/users.ts';
import type { MessageWords } from '#features/messaging/messages/messages.ts';
import type { Localised } from '#kernel/localised.ts';
import { linkLine, ours } from '#kernel/wording.ts';

interface UserWelcome {
  readonly username: string;
  readonly password: string;
  readonly login: string;
  readonly confirm: string;
}

interface NewOperator {
  readonly maker: number;
  readonly username: string;
  readonly user_id: number;
}

interface AdminTexts {
  /** Contract: Events, welcome with temporary password. */
  welcome(welcome: UserWelcome): MessageWords;
  newOperator(made: NewOperator): MessageWords;
  readonly newAddress: MessageWords;
}

const en: AdminTexts = {
  welcome: ({ username, password, login, confirm }) => ({
    subject: 'Welcome to Archipay: your account',
    text: [
      `Hello ${username}, an Archipay account was made for you.`,
      '',
      ours(`Password: ${password}`),
      linkLine(login, 'Log in', 'Log in'),
      ours(TEMPORARY_NOTES.en),
      '',
      'Please confirm your e-mail address within 24 hours:',
      linkLine(confirm, 'Confirm this address'),
    ],
  }),
  newOperator: ({ maker, username, user_id }) => ({
    subject: 'Archipay has a new admin of the operator',
    text: [
      `Admin ${maker} has made ${username} (user ${user_id}) an admin of the operator.`,
      'Such an admin reaches the data of all clients.',
      'If you know nothing of it, stop that account at the console, and the one that made it.',
    ],
  }),
  newAddress: {
    subject: 'This is to become the address of an Archipay account',
    text: [
      'An operator of Archipay was asked to make this the e-mail address of an account.',
      'A day from now you get a link to confirm it, unless the owner of the account objects.',
      'If you did not ask for it, do not use that link; you need do nothing else.',
    ],
  },
};

const id: AdminTexts = {
  welcome: ({ username, password, login, confirm }) => ({
    subject: 'Selamat datang di Archipay: akun Anda',
    text: [
      `Halo ${username}, sebuah akun Archipay telah dibuat untuk Anda.`,
      '',
      ours(`Kata sandi: ${password}`),
      linkLine(login, 'Masuk', 'Masuk'),
      ours(TEMPORARY_NOTES.id),
      '',
      'Konfirmasikan alamat e-mail Anda dalam 24 jam:',
      linkLine(confirm, 'Konfirmasi alamat ini', 'Tautan'),
    ],
  }),
  newOperator: ({ maker, username, user_id }) => ({
    subject: 'Archipay memiliki admin operator baru',
    text: [
      `Admin ${maker} telah menjadikan ${username} (pengguna ${user_id}) admin operator.`,
      'Admin seperti itu dapat mengakses data semua klien.',
      'Jika Anda tidak mengetahuinya, hentikan akun itu di konsol, juga akun yang membuatnya.',
    ],
  }),
  newAddress: {
    subject: 'Alamat ini akan menjadi alamat sebuah akun Archipay',
    text: [
      'Operator Archipay diminta menjadikan alamat ini alamat e-mail sebuah akun.',
      'Satu hari lagi Anda menerima tautan untuk mengonfirmasinya, kecuali pemilik akun menolak.',
      'Jika Anda tidak memintanya, jangan gunakan tautan itu; selain itu Anda tidak perlu melakukan apa pun.',
    ],
  },
};

export const ADMIN_TEXTS: Localised<AdminTexts> = { en, id };
