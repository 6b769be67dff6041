import { escapeHtml, type Page, page } from '#kernel/http/pages/pages.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { localAmount, localDay } from '#kernel/localised.ts';
import { digestOf } from '#kernel/secrets/token.ts';
import { CLAIM_PAGE } from './mails.ts';
import { transferOfClaim } from './store.ts';

const TOKEN = /^[0-9a-f]{36}$/;

/** The texts of the page; `amount` and `day` are escaped. */
const TEXTS = {
  en: {
    none: 'Nothing to claim',
    over: 'This link is not valid any more: the money was claimed, called off, or went back in time.',
    title: 'Money for you',
    sent: (amount: string, day: string) =>
      `Somebody has sent you ${amount}. It is yours until ${day}.`,
    find: 'Open the application of the organisation that sent you here.',
    open: 'Open the application',
    enter: 'Log in, or sign up, with the address that this message was sent to, and enter there:',
  },
  id: {
    none: 'Tidak ada uang untuk diambil',
    over: 'Tautan ini tidak berlaku lagi: uangnya sudah diambil, dibatalkan, atau dikembalikan karena lewat waktu.',
    title: 'Uang untuk Anda',
    sent: (amount: string, day: string) =>
      `Seseorang mengirim ${amount} kepada Anda. Anda dapat mengambilnya sampai ${day}.`,
    find: 'Buka aplikasi dari organisasi yang mengirim Anda ke sini.',
    open: 'Buka aplikasi',
    enter: 'Masuk, atau daftar, dengan alamat yang menerima pesan ini, lalu isikan di sana:',
  },
} as const;

/** Behind the link in a message. To look changes nothing: scanners of mail open every link. */
export const claimPage = ({
  db,
  clock,
  config,
}: Pick<Kernel, 'clock' | 'config' | 'db'>): Page => ({
  path: CLAIM_PAGE,
  async render({ token = '' }, language) {
    const texts = TEXTS[language];
    const row = TOKEN.test(token) ? await transferOfClaim(db, digestOf(token)) : undefined;
    const isOpen =
      row?.status === 'PENDING' && (row.claim_expires_at ?? '') > clock.now().toISOString();
    if (!row || !isOpen) return page(400, texts.none, `<p>${texts.over}</p>`, { language });
    const { LOGIN_URL } = config;
    const app =
      LOGIN_URL === undefined
        ? `<p>${texts.find}</p>`
        : `<p><a class="button" href="${escapeHtml(LOGIN_URL)}">${texts.open}</a></p>`;
    const day = localDay(language, row.claim_expires_at ?? '');
    const money = localAmount(language, { asset: row.currency, units: row.amount });
    return page(
      200,
      texts.title,
      `<p>${texts.sent(money, day)}</p>
${app}
<p>${texts.enter}</p>
<pre tabindex="0">${escapeHtml(row.object_id)}
${escapeHtml(token)}</pre>`,
      { language },
    );
  },
});
