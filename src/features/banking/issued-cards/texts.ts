import type { MessageWords } from '#features/messaging/messages/messages.ts';
import type { Localised } from '#kernel/localised.ts';

interface CardTexts {
  made(last4: string | null): MessageWords;
  frozen(last4: string | null): MessageWords;
}

export const CARD_TEXTS: Localised<CardTexts> = {
  en: {
    made: (last4) => ({
      subject: 'You have a new card',
      text: [
        `Your card that ends in ${last4} was made. Activate it in the app before you pay with it.`,
        'If you have not asked for it, change your password and write to us.',
      ],
    }),
    frozen: (last4) => ({
      subject: 'Your card was frozen',
      text: [
        `Your card that ends in ${last4} was frozen by an administrator. It pays nothing until they unfreeze it.`,
      ],
    }),
  },
  id: {
    made: (last4) => ({
      subject: 'Anda memiliki kartu baru',
      text: [
        `Kartu Anda yang berakhir dengan ${last4} telah dibuat. Aktifkan di aplikasi sebelum membayar dengannya.`,
        'Jika Anda tidak memintanya, ganti kata sandi Anda dan hubungi kami.',
      ],
    }),
    frozen: (last4) => ({
      subject: 'Kartu Anda dibekukan',
      text: [
        `Kartu Anda yang berakhir dengan ${last4} dibekukan oleh administrator. Kartu ini tidak dapat membayar sampai pembekuannya dicabut.`,
      ],
    }),
  },
};
