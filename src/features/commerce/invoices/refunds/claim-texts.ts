import type { MessageWords } from '#features/messaging/messages/messages.ts';
import type { Localised } from '#kernel/localised.ts';
import { linkLine, ours } from '#kernel/wording.ts';
import type { CardFormTexts } from '../card/form.ts';
import type { TypedCard } from '../card/typed.ts';
import type { TypedAccount } from './payee.ts';

interface ClaimMail {
  readonly money: string;
  /** Of the invoice, in the merchant's words. */
  readonly description: string;
  readonly url: string;
  /** A day. */
  readonly until: string;
  readonly isToCard: boolean;
}

export const CLAIM_MAIL_TEXTS: Localised<(claim: ClaimMail) => MessageWords> = {
  en: ({ money, description, url, until, isToCard }) => ({
    subject: `You get ${money} back`,
    text: [
      `You get ${money} back for: ${description}`,
      ours(
        isToCard
          ? `Type the card that you have paid with, by ${until}:`
          : `Name the bank account that it is paid to, by ${until}:`,
      ),
      linkLine(`${url}?lang=en`, isToCard ? 'Type your card' : 'Name a bank account'),
    ],
  }),
  id: ({ money, description, url, until, isToCard }) => ({
    subject: `Pengembalian dana ${money}`,
    text: [
      `Anda menerima kembali ${money} untuk: ${description}`,
      ours(
        isToCard
          ? `Isi kartu yang Anda pakai membayar paling lambat ${until}:`
          : `Isi rekening bank tujuan pembayaran paling lambat ${until}:`,
      ),
      linkLine(`${url}?lang=id`, isToCard ? 'Isi kartu Anda' : 'Isi rekening bank', 'Tautan'),
    ],
  }),
};

/** What is wrong with what was typed, or why nothing is paid now. */
export type ClaimObstacle =
  | keyof TypedAccount
  | keyof TypedCard
  | ('no_match' | 'other_card' | 'too_often' | 'not_now');

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
  /** Where it goes back to the card that has paid; escaped already. */
  readonly offerCard: (amount: string, what: string, day: string) => string;
  readonly card: CardFormTexts & { readonly button: string; readonly name: string };
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
  offerCard: (amount, what, day) =>
    `You are paid <strong>${amount}</strong> back for: ${what}. It goes to the card that you have paid with. We do not store cards: type it again by ${day}. There is no fee for you.`,
  card: {
    number: 'Card number',
    expiry: 'Valid until',
    expiryHow: 'MM/YY',
    cvv: 'Security code',
    button: 'Pay back to this card',
    name: 'your card',
  },
  wrong: {
    bank_code: 'Choose the bank of your account.',
    account_number: 'An account number has 5 to 20 digits. Check yours.',
    account_name: 'Enter the name as the bank has it.',
    card_number: 'Check the number of the card: it has 16 digits.',
    expiry_date: 'Check until when the card is valid: month and year.',
    cvv: 'Check the three digits on the back of the card.',
    other_card: 'This is not the card that has paid. Type that one.',
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
  offerCard: (amount, what, day) =>
    `Anda menerima kembali <strong>${amount}</strong> untuk: ${what}. Uangnya kembali ke kartu yang Anda pakai membayar. Kami tidak menyimpan kartu: isi lagi paling lambat ${day}. Tidak ada biaya untuk Anda.`,
  card: {
    number: 'Nomor kartu',
    expiry: 'Berlaku sampai',
    expiryHow: 'BB/TT',
    cvv: 'Kode keamanan',
    button: 'Kembalikan ke kartu ini',
    name: 'kartu Anda',
  },
  wrong: {
    bank_code: 'Pilih bank rekening Anda.',
    account_number: 'Nomor rekening terdiri dari 5 sampai 20 angka. Periksa nomor Anda.',
    account_name: 'Isi nama sesuai data di bank.',
    card_number: 'Periksa nomor kartu: terdiri dari 16 angka.',
    expiry_date: 'Periksa masa berlaku kartu: bulan dan tahun.',
    cvv: 'Periksa tiga angka di belakang kartu.',
    other_card: 'Ini bukan kartu yang dipakai membayar. Isi kartu itu.',
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
export const CLAIM_TEXTS: Localised<ClaimTexts> = { en, id };
