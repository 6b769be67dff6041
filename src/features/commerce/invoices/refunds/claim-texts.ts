import type { PageLanguage } from '#kernel/http/pages/language.ts';
import { type Line, linkLine, ours } from '#kernel/wording.ts';
import type { TypedAccount } from './payee.ts';

interface ClaimMail {
  readonly money: string;
  /** Of the invoice, in the merchant's words. */
  readonly description: string;
  readonly url: string;
  /** A day. */
  readonly until: string;
}

/** In both languages: which one its reader speaks is not known. */
export const claimMail = ({ money, description, url, until }: ClaimMail) => ({
  subject: `You get ${money} back · Pengembalian dana ${money}`,
  text: [
    `You get ${money} back for: ${description}`,
    ours(`Name the bank account that it is paid to, by ${until}:`),
    linkLine(`${url}?lang=en`, 'Name a bank account'),
    `Anda menerima kembali ${money} untuk: ${description}`,
    ours(`Isi rekening bank tujuan pembayaran paling lambat ${until}:`),
    linkLine(`${url}?lang=id`, 'Isi rekening bank', 'Tautan'),
  ] satisfies Line[],
});

/** What is wrong with what was typed, or why nothing is paid now. */
export type ClaimObstacle = keyof TypedAccount | 'no_match' | 'too_often' | 'not_now';

interface ClaimTexts {
  readonly none: readonly [title: string, text: string];
  readonly title: string;
  /** Escaped already. */
  readonly offer: (amount: string, what: string, day: string) => string;
  readonly bank: string;
  readonly choose: string;
  readonly number: string;
  readonly name: string;
  readonly button: string;
  readonly wrong: Readonly<Record<ClaimObstacle, string>>;
  /** What has become of it; escaped already. */
  readonly state: Readonly<
    Record<
      'PENDING' | 'SUCCEEDED' | 'FAILED' | 'EXPIRED',
      readonly [title: string, text: (amount: string, account: string) => string]
    >
  >;
}

const en: ClaimTexts = {
  none: [
    'Nothing to claim here',
    'Open the link again from where you got it: a part of it may be missing.',
  ],
  title: 'You get money back',
  offer: (amount, what, day) =>
    `You are paid <strong>${amount}</strong> back for: ${what}. Say by ${day} which bank account it is paid to. There is no fee for you.`,
  bank: 'Bank',
  choose: 'Choose your bank',
  number: 'Account number',
  name: 'Name of the account holder',
  button: 'Pay to this account',
  wrong: {
    bank_code: 'Choose the bank of your account.',
    account_number: 'An account number has 5 to 20 digits. Check yours.',
    account_name: 'Enter the name as the bank has it.',
    no_match: 'This bank has no such account under this name. Check the number and the name.',
    too_often: 'That was tried too often. Try again tomorrow.',
    not_now: 'It cannot be paid at the moment. Ask the seller.',
  },
  state: {
    PENDING: ['On its way', (amount, account) => `${amount} is being paid to ${account}.`],
    SUCCEEDED: ['Paid', (amount, account) => `${amount} was paid to ${account}.`],
    FAILED: [
      'It did not arrive',
      () =>
        'The bank did not take the payment, and the seller has the money again. Ask the seller.',
    ],
    EXPIRED: [
      'This link is not valid any more',
      () => 'Its time is over, and the seller has the money again. Ask the seller.',
    ],
  },
};

const id: ClaimTexts = {
  none: [
    'Tidak ada pengembalian di sini',
    'Buka kembali tautan dari tempat Anda menerimanya: mungkin ada bagian yang hilang.',
  ],
  title: 'Uang Anda dikembalikan',
  offer: (amount, what, day) =>
    `Anda menerima kembali <strong>${amount}</strong> untuk: ${what}. Isi rekening bank tujuan paling lambat ${day}. Tidak ada biaya untuk Anda.`,
  bank: 'Bank',
  choose: 'Pilih bank Anda',
  number: 'Nomor rekening',
  name: 'Nama pemilik rekening',
  button: 'Bayar ke rekening ini',
  wrong: {
    bank_code: 'Pilih bank rekening Anda.',
    account_number: 'Nomor rekening terdiri dari 5 sampai 20 angka. Periksa nomor Anda.',
    account_name: 'Isi nama sesuai data di bank.',
    no_match: 'Bank ini tidak memiliki rekening dengan nama tersebut. Periksa nomor dan nama.',
    too_often: 'Terlalu banyak percobaan. Coba lagi besok.',
    not_now: 'Saat ini belum dapat dibayar. Hubungi penjual.',
  },
  state: {
    PENDING: ['Sedang diproses', (amount, account) => `${amount} sedang dibayarkan ke ${account}.`],
    SUCCEEDED: ['Sudah dibayar', (amount, account) => `${amount} sudah dibayarkan ke ${account}.`],
    FAILED: [
      'Dana tidak sampai',
      () => 'Bank tidak menerima pembayaran, dan uangnya kembali ke penjual. Hubungi penjual.',
    ],
    EXPIRED: [
      'Tautan ini tidak berlaku lagi',
      () => 'Waktunya sudah habis, dan uangnya kembali ke penjual. Hubungi penjual.',
    ],
  },
};

/** The words of the page, by its reader's language. */
export const CLAIM_TEXTS: Readonly<Record<PageLanguage, ClaimTexts>> = { en, id };
