import type { MessageWords } from '#features/messaging/messages/messages.ts';
import type { Localised } from '#kernel/localised.ts';
import { linkLine, ours } from '#kernel/wording.ts';

interface SentMoney {
  readonly from: string;
  readonly money: string;
  /** The last day. */
  readonly until: string;
  readonly link: string;
}

export const TRANSFER_CLAIM_TEXTS: Localised<(sent: SentMoney) => MessageWords> = {
  en: ({ from, money, until, link }) => ({
    subject: `You have been sent ${money}`,
    text: [
      `${from} has sent you ${money}.`,
      ours(`Claim it before ${until}:`),
      linkLine(link, 'See how to claim it'),
      ours('If you do not want it, there is nothing to do: it goes back.'),
    ],
  }),
  id: ({ from, money, until, link }) => ({
    subject: `Anda dikirimi ${money}`,
    text: [
      `${from} mengirim ${money} kepada Anda.`,
      ours(`Ambil sebelum ${until}:`),
      linkLine(link, 'Lihat cara mengambilnya', 'Tautan'),
      ours('Jika Anda tidak menginginkannya, abaikan saja: uangnya akan kembali.'),
    ],
  }),
};
