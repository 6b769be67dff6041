import { escapeHtml, type Page, page } from '#kernel/http/pages/pages.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { digestOf } from '#kernel/secrets/token.ts';
import { CLAIM_PAGE } from './mails.ts';
import { moneyText } from './presenters.ts';
import { transferOfClaim } from './store.ts';

const TOKEN = /^[0-9a-f]{36}$/;

/** Behind the link in a message. To look changes nothing: scanners of mail open every link. */
export const claimPage = ({
  db,
  clock,
  config,
}: Pick<Kernel, 'clock' | 'config' | 'db'>): Page => ({
  path: CLAIM_PAGE,
  async render({ token = '' }) {
    const row = TOKEN.test(token) ? await transferOfClaim(db, digestOf(token)) : undefined;
    const isOpen =
      row?.status === 'PENDING' && (row.claim_expires_at ?? '') > clock.now().toISOString();
    if (!row || !isOpen)
      return page(
        400,
        'Nothing to claim',
        '<p>This link is not valid any more: the money was claimed, called off, or went back in time.</p>',
      );
    const { LOGIN_URL } = config;
    const app =
      LOGIN_URL === undefined
        ? '<p>Open the application of the organisation that sent you here.</p>'
        : `<p><a class="button" href="${escapeHtml(LOGIN_URL)}">Open the application</a></p>`;
    return page(
      200,
      'Money for you',
      `<p>Somebody has sent you ${escapeHtml(moneyText(row))}. It is yours until
${escapeHtml((row.claim_expires_at ?? '').slice(0, 10))}.</p>
${app}
<p>Log in, or sign up, with the address that this message was sent to, and enter there:</p>
<pre tabindex="0">${escapeHtml(row.object_id)}
${escapeHtml(token)}</pre>`,
    );
  },
});
