import type { MessageWords } from '#features/messaging/messages/messages.ts';
import type { Localised } from '#kernel/localised.ts';
import { linkLine, ours } from '#kernel/wording.ts';

interface AskedFor {
  readonly from: string;
  readonly money: string;
  /** The last day. */
  readonly until: string;
  readonly login: string | undefined;
}

export const ASKED_TEXTS: Localised<(asked: AskedFor) => MessageWords> = {
  en: ({ from, money, until, login }) => ({
    subject: `You are asked for ${money}`,
    text: [
      `${from} asks you for ${money}.`,
      ours(`Log in, or sign up, with this address to answer before ${until}.`),
      ...(login === undefined ? [] : [linkLine(login, 'Open the application')]),
      ours('Pay only people whom you know. If you do not want to pay, there is nothing to do.'),
    ],
  }),
  id: ({ from, money, until, login }) => ({
    subject: `Anda diminta membayar ${money}`,
    text: [
      `${from} meminta ${money} dari Anda.`,
      ours(`Masuk atau daftar dengan alamat ini untuk menjawab sebelum ${until}.`),
      ...(login === undefined ? [] : [linkLine(login, 'Buka aplikasi', 'Tautan')]),
      ours('Bayar hanya kepada orang yang Anda kenal. Jika tidak mau membayar, abaikan saja.'),
    ],
  }),
};
