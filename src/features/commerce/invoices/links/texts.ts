import type { PageLanguage } from '#kernel/http/pages/language.ts';

const EN = {
  title: {
    ACTIVE: 'Pay',
    PAUSED: 'Payments are paused',
    EXHAUSTED: 'Everything is paid',
    EXPIRED: 'The time to pay is over',
    TAKEN: 'Somebody is paying now',
  },
  how: {
    PAUSED: 'The seller takes no payments by this link now. Try again later.',
    EXHAUSTED: 'All payments that this link takes have arrived. Do not pay any more.',
    EXPIRED: 'This link takes no payments any more. Ask the seller for another one.',
    TAKEN: 'All places of this link are taken by payments that are open. Try again in an hour.',
  },
  amount: 'Amount',
  between: (least: string, most: string) => `From ${least} to ${most}`,
  next: 'Continue to payment',
  wrong: 'This amount cannot be paid here.',
  busy: 'There were too many tries from your network. Try again later.',
  help: 'Questions?',
  other: { name: 'Bahasa Indonesia', language: 'id' },
};
export type LinkTexts = typeof EN;

const ID: LinkTexts = {
  title: {
    ACTIVE: 'Bayar',
    PAUSED: 'Pembayaran sedang dijeda',
    EXHAUSTED: 'Semuanya sudah dibayar',
    EXPIRED: 'Waktu pembayaran sudah habis',
    TAKEN: 'Orang lain sedang membayar',
  },
  how: {
    PAUSED: 'Penjual sedang tidak menerima pembayaran melalui tautan ini. Coba lagi nanti.',
    EXHAUSTED: 'Semua pembayaran untuk tautan ini sudah diterima. Jangan bayar lagi.',
    EXPIRED: 'Tautan ini tidak menerima pembayaran lagi. Mintalah tautan lain kepada penjual.',
    TAKEN: 'Semua tempat tautan ini sedang dipakai pembayaran lain. Coba lagi dalam satu jam.',
  },
  amount: 'Jumlah',
  between: (least, most) => `Dari ${least} sampai ${most}`,
  next: 'Lanjutkan ke pembayaran',
  wrong: 'Jumlah ini tidak dapat dibayar di sini.',
  busy: 'Terlalu banyak percobaan dari jaringan Anda. Coba lagi nanti.',
  help: 'Ada pertanyaan?',
  other: { name: 'English', language: 'en' },
};

export const LINK_TEXTS: Readonly<Record<PageLanguage, LinkTexts>> = { en: EN, id: ID };
