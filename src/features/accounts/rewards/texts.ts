import type { MessageWords } from '#features/messaging/messages/messages.ts';
import type { Localised } from '#kernel/localised.ts';
import { type Line, ours } from '#kernel/wording.ts';
import type { Action } from './actions.ts';
import type { Notification } from './store.ts';

interface RewardTexts {
  emailCode(code: string, minutes: number): MessageWords;
  phoneCode(code: string, minutes: number): readonly Line[];
  /** A reward; one of a social platform has the last text. */
  earned(points: number): string;
  readonly actions: Readonly<Record<Exclude<Action, `social_${string}`>, string>>;
  readonly followed: string;
  /** Another member has logged in on the device. */
  readonly deviceMoved: Notification;
}

const en: RewardTexts = {
  emailCode: (code, minutes) => ({
    subject: 'Your verification code',
    text: [
      'Enter this code in the app to verify your email address.',
      ours(`Code: ${code}`),
      `It is valid for ${minutes} minutes. If it was not you, there is nothing to do.`,
    ],
  }),
  phoneCode: (code, minutes) => [
    `Your verification code, valid for ${minutes} minutes:`,
    ours(`Code: ${code}`),
    'Do not give it to anyone.',
  ],
  earned: (points) => `You earned ${points} points`,
  actions: {
    welcome: 'Welcome! Your first points are here.',
    claim_username: 'You claimed your username.',
    verify_email: 'You verified your email address.',
    sync_contact: 'You synced your contacts.',
    add_inviter: 'You told us who invited you.',
  },
  followed: 'You claimed your reward for following us.',
  deviceMoved: {
    title: 'Another account uses your device',
    message: 'Your notifications go to your phone number until you log in on a device again.',
  },
};

const id: RewardTexts = {
  emailCode: (code, minutes) => ({
    subject: 'Kode verifikasi Anda',
    text: [
      'Masukkan kode ini di aplikasi untuk memverifikasi alamat e-mail Anda.',
      ours(`Code: ${code}`),
      `Kode ini berlaku ${minutes} menit. Jika itu bukan Anda, abaikan saja.`,
    ],
  }),
  phoneCode: (code, minutes) => [
    `Kode verifikasi Anda, berlaku ${minutes} menit:`,
    ours(`Code: ${code}`),
    'Jangan berikan kepada siapa pun.',
  ],
  earned: (points) => `Anda mendapat ${points} poin`,
  actions: {
    welcome: 'Selamat datang! Poin pertama Anda sudah masuk.',
    claim_username: 'Anda telah memilih nama pengguna.',
    verify_email: 'Anda telah memverifikasi alamat e-mail.',
    sync_contact: 'Anda telah menyinkronkan kontak.',
    add_inviter: 'Anda telah menyebutkan siapa yang mengundang Anda.',
  },
  followed: 'Anda telah mengambil hadiah karena mengikuti kami.',
  deviceMoved: {
    title: 'Akun lain memakai perangkat Anda',
    message: 'Notifikasi Anda dikirim ke nomor telepon sampai Anda masuk lagi di sebuah perangkat.',
  },
};

export const REWARD_TEXTS: Localised<RewardTexts> = { en, id };
