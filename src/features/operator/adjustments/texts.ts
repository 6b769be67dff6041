import type { MessageWords } from '#features/messaging/messages/messages.ts';
import type { Localised } from '#kernel/localised.ts';

interface BookedCorrection {
  readonly isReversal: boolean;
  readonly money: string;
  readonly reference: string;
  /** Null for a member of the rewards app. */
  readonly user_id: number | null;
  readonly proposed_by: number;
  readonly decided_by: number | null;
  readonly reason: string;
}

export const CORRECTION_TEXTS: Localised<(booked: BookedCorrection) => MessageWords> = {
  en: ({ isReversal, money, reference, user_id, proposed_by, decided_by, reason }) => ({
    subject: 'A correction of the ledger was booked',
    text: [
      `${isReversal ? 'A reversal' : 'A correction'} of ${money} was booked: ${reference}.`,
      `It is about ${user_id === null ? 'a member of the rewards app' : `user ${user_id}`}. Admin ${proposed_by} proposed it, admin ${decided_by} approved it.`,
      `Reason: ${reason}`,
      'If you did not expect it, check it at the desk, and suspend the admin who should not have done it.',
    ],
  }),
  id: ({ isReversal, money, reference, user_id, proposed_by, decided_by, reason }) => ({
    subject: 'Koreksi buku besar telah dibukukan',
    text: [
      `${isReversal ? 'Pembalikan' : 'Koreksi'} sebesar ${money} telah dibukukan: ${reference}.`,
      `Koreksi ini menyangkut ${user_id === null ? 'anggota aplikasi hadiah' : `pengguna ${user_id}`}. Admin ${proposed_by} mengusulkannya, admin ${decided_by} menyetujuinya.`,
      `Alasan: ${reason}`,
      'Jika Anda tidak menduganya, periksa di konsol, dan tangguhkan admin yang tidak seharusnya melakukannya.',
    ],
  }),
};
