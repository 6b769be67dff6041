import type { Localised } from '#kernel/localised.ts';

type Shown = readonly [title: string, text: string];

/** The pages behind the links in our messages. */
interface UserPageTexts {
  readonly confirmed: Shown;
  readonly used: Shown;
  readonly invalid: Shown;
  readonly address: string;
  readonly resend: string;
  readonly confirm: readonly [title: string, text: string, button: string];
  readonly failed: Shown;
  readonly logIn: string;
  /** Where a link to the terms was cut. */
  readonly cut: Shown;
  readonly terms: {
    readonly title: string;
    /** The text of a link, with the tag that opens it. */
    linked(open: string): string;
    readonly ofOrganisation: string;
    version(version: string): string;
    /** Both are HTML already. */
    ask(email: string, terms: string): string;
    readonly button: string;
  };
}

const en: UserPageTexts = {
  confirmed: ['Account confirmed', 'Your account is confirmed.'],
  used: [
    'Already confirmed',
    'Your account is confirmed; the link has done its work and is not needed any more.',
  ],
  invalid: ['Link not valid', 'This link is invalid or has expired: it counts for 24 hours.'],
  address: 'Your e-mail address',
  resend: 'Send a new link',
  confirm: [
    'Confirm your e-mail address',
    'Is the address yours to which the link was sent? Then confirm it.',
    'Yes, confirm it',
  ],
  failed: [
    'Something went wrong',
    'Your account could not be confirmed. Please open the link again in a while.',
  ],
  logIn: 'Log in',
  cut: [
    'Link not valid',
    'This link is not whole. Please open it again from where you got it, or ask for a new one.',
  ],
  terms: {
    title: 'Terms of service',
    linked: (open) => `the ${open}terms of service</a>`,
    ofOrganisation: 'the terms of service of your organisation',
    version: (version) => ` (version ${version})`,
    ask: (email, terms) =>
      `${email}, please confirm that you have read ${terms} and agree to them.`,
    button: 'I accept',
  },
};

const id: UserPageTexts = {
  confirmed: ['Akun telah dikonfirmasi', 'Akun Anda telah dikonfirmasi.'],
  used: [
    'Sudah dikonfirmasi',
    'Akun Anda sudah dikonfirmasi; tautan ini sudah dipakai dan tidak diperlukan lagi.',
  ],
  invalid: [
    'Tautan tidak berlaku',
    'Tautan ini salah atau sudah lewat waktu: tautan berlaku selama 24 jam.',
  ],
  address: 'Alamat e-mail Anda',
  resend: 'Kirim tautan baru',
  confirm: [
    'Konfirmasi alamat e-mail Anda',
    'Apakah alamat tujuan tautan ini milik Anda? Jika ya, konfirmasikan.',
    'Ya, konfirmasi',
  ],
  failed: [
    'Terjadi kesalahan',
    'Akun Anda belum dapat dikonfirmasi. Silakan buka tautannya lagi beberapa saat lagi.',
  ],
  logIn: 'Masuk',
  cut: [
    'Tautan tidak berlaku',
    'Tautan ini tidak lengkap. Buka lagi dari tempat Anda menerimanya, atau minta tautan baru.',
  ],
  terms: {
    title: 'Ketentuan layanan',
    linked: (open) => `${open}ketentuan layanan</a>`,
    ofOrganisation: 'ketentuan layanan organisasi Anda',
    version: (version) => ` (versi ${version})`,
    ask: (email, terms) =>
      `${email}, konfirmasikan bahwa Anda telah membaca ${terms} dan menyetujuinya.`,
    button: 'Saya setuju',
  },
};

export const USER_PAGE_TEXTS: Localised<UserPageTexts> = { en, id };
