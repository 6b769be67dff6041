import type { Html } from '#kernel/http/declare/html.ts';
import type { PageLanguage } from '#kernel/http/pages/language.ts';
import { escapeHtml, page } from '#kernel/http/pages/pages.ts';
import { facts, tryPart, waysPart } from './parts.ts';
import type { CheckoutPage, CheckoutShown } from './shown.ts';
import { isOver, markOf } from './state.ts';
import { CHECKOUT_TEXTS, type CheckoutTexts } from './texts.ts';

/** The page on which an invoice is paid: whole without script, up to its reload. */
export function checkoutPage(given: CheckoutPage): Html {
  const { checkout, seller, language, path, refused } = given;
  const texts = CHECKOUT_TEXTS[language];
  const { status } = checkout;
  const shown: CheckoutShown = { ...given, texts };
  const follow = isOver(checkout) ? '' : ` data-events="${escapeHtml(path('/events'))}"`;
  const body = `<div data-live="${markOf(checkout)}" data-page="${escapeHtml(path(''))}" data-state="${escapeHtml(path('/state'))}"${follow}>
<h1 tabindex="-1">${texts.title[status]}</h1>
${refused ? `<p class="notice" role="alert">${refusal(texts, refused.code)}</p>` : ''}
${facts(shown)}
${actPart(shown)}
</div>
<p role="status" class="soft" data-status>${texts.status[status]}</p>
${helpPart(shown)}`;
  const logo = seller.logo_file_id === null ? undefined : path('/logo');
  const { name, color, embed_origins: frames } = seller;
  const brand = { name, color: color ?? undefined, frames, logo };
  return page(refused?.status ?? 200, texts.title[status], body, { language, brand });
}

/** For an unknown invoice and a wrong key alike. */
export function noCheckoutPage(language: PageLanguage): Html {
  const { none, noneHow } = CHECKOUT_TEXTS[language];
  return page(404, none, `<p>${noneHow}</p>`, { language });
}

const refusal = ({ refused }: CheckoutTexts, code: string): string =>
  code in refused ? refused[code as keyof CheckoutTexts['refused']] : refused.other;

function actPart(shown: CheckoutShown): string {
  const { checkout, texts } = shown;
  const { status, tries, has_failed } = checkout;
  if (status === 'OPEN' || status === 'PARTIALLY_PAID')
    return [
      has_failed && !shown.refused ? `<p class="notice">${texts.failed}</p>` : '',
      ...tries.map((one) => tryPart(shown, one)),
      waysPart(shown),
    ].join('\n');
  return `<p>${texts.ended[status]}</p>\n${leavePart(shown)}`;
}

/** Where a payer goes on once it is over. */
function leavePart({ checkout, invoice, returnUrl, seller, texts }: CheckoutShown): string {
  const { recovery_url } = invoice;
  const link = (address: string, text: string) =>
    `<p><a class="button" target="_top" href="${escapeHtml(address)}">${escapeHtml(text)}</a></p>`;
  if (checkout.status === 'EXPIRED' && recovery_url !== null)
    return link(recovery_url, texts.recover);
  return returnUrl === undefined ? '' : link(returnUrl, texts.back(seller.name));
}

function helpPart({ seller: { support_email }, path, texts }: CheckoutShown): string {
  const { name, language } = texts.other;
  const mail =
    support_email === null
      ? ''
      : `${texts.help} <a href="mailto:${escapeHtml(encodeURI(support_email))}">${escapeHtml(support_email)}</a> · `;
  const other = path('', language as PageLanguage);
  return `<p class="soft">${mail}<a href="${escapeHtml(other)}" hreflang="${language}" lang="${language}">${name}</a></p>
<noscript><p class="soft"><a href="${escapeHtml(path(''))}">${texts.reload}</a></p></noscript>`;
}
