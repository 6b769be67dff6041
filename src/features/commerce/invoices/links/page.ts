import { randomUUID } from 'node:crypto';
import type { Html } from '#kernel/http/declare/html.ts';
import type { PageLanguage } from '#kernel/http/pages/language.ts';
import { escapeHtml, page } from '#kernel/http/pages/pages.ts';
import { pageMoney } from '../checkout/money-text.ts';
import type { Seller } from '../settings/store.ts';
import type { PaymentLink } from './store.ts';
import { LINK_TEXTS, type LinkTexts } from './texts.ts';

export interface LinkPage {
  readonly link: PaymentLink;
  readonly seller: Seller;
  readonly language: PageLanguage;
  /** The moment, in ISO 8601. */
  readonly now: string;
  /** The address of the page itself, in its language or another. */
  path(language?: PageLanguage): string;
  /** The address of the client's picture. */
  readonly logo: string;
  readonly refused?:
    | { readonly why: 'wrong' | 'busy' | 'taken'; readonly amount: string }
    | undefined;
}

const STATUS_OF = { wrong: 400, busy: 429, taken: 409 } as const;

/** The page of a link: its button makes an invoice, and a look makes nothing. */
export function payLinkPage(given: LinkPage): Html {
  const { link, seller, language, refused } = given;
  const texts = LINK_TEXTS[language];
  const state = stateOf(given);
  const what = `<p>${escapeHtml(link.title)}</p>`;
  const act =
    state === 'ACTIVE' ? formPart(given, texts) : `<p role="status">${texts.how[state]}</p>`;
  const { name, color, embed_origins: frames } = seller;
  const logo = seller.logo_file_id === null ? undefined : given.logo;
  const brand = { name, color: color ?? undefined, frames, logo };
  const status = refused === undefined ? 200 : STATUS_OF[refused.why];
  return page(status, texts.title[state], `${what}\n${act}\n${footPart(given, texts)}`, {
    language,
    brand,
  });
}

function stateOf({ link, now, refused }: LinkPage): keyof LinkTexts['title'] {
  const { status, expires_at, usage, taken, max_payments } = link;
  if (status !== 'ACTIVE') return status;
  if (expires_at !== null && expires_at <= now) return 'EXPIRED';
  return refused?.why === 'taken' || (usage === 'many' && taken === max_payments)
    ? 'TAKEN'
    : 'ACTIVE';
}

function formPart(given: LinkPage, texts: LinkTexts): string {
  const { link, language, path, refused } = given;
  const notice =
    refused === undefined || refused.why === 'taken'
      ? ''
      : `<p class="notice" role="alert" id="notice">${texts[refused.why]}</p>`;
  const money = (units: bigint | null) => pageMoney(language, link.currency, units ?? 0n);
  const range = texts.between(money(link.least), money(link.most));
  const amount =
    link.amount === null
      ? `<label for="amount">${texts.amount} (${link.currency})</label>
<input id="amount" name="amount" inputmode="decimal" autocomplete="off" required maxlength="40" aria-describedby="range" value="${escapeHtml(refused?.amount ?? '')}">
<p class="soft" id="range">${range}</p>`
      : `<p class="sum">${money(link.amount)}</p>`;
  return `${notice}
<form method="post" action="${escapeHtml(path())}">
<input type="hidden" name="press" value="${randomUUID()}">
${amount}
<button id="continue">${texts.next}</button></form>`;
}

function footPart({ seller: { support_email }, path }: LinkPage, texts: LinkTexts): string {
  const { name, language } = texts.other;
  const mail =
    support_email === null
      ? ''
      : `${texts.help} <a href="mailto:${escapeHtml(encodeURI(support_email))}">${escapeHtml(support_email)}</a> · `;
  const other = escapeHtml(path(language as PageLanguage));
  return `<p class="soft">${mail}<a href="${other}" hreflang="${language}" lang="${language}">${name}</a></p>`;
}
