import type { Html } from '#kernel/http/declare/html.ts';
import type { PageLanguage } from '#kernel/http/pages/language.ts';
import { escapeHtml, page } from '#kernel/http/pages/pages.ts';
import { localAmount, localDay } from '#kernel/localised.ts';
import { GATEWAY_BANKS } from '#providers/gateway/port.ts';
import { cardForm } from '../card/form.ts';
import { CLAIM_TEXTS, type ClaimObstacle } from './claim-texts.ts';
import type { TypedAccount } from './payee.ts';
import type { InvoiceRefund } from './refund-store.ts';

export interface ClaimedRefund {
  readonly refund: InvoiceRefund;
  /** Of the invoice. */
  readonly description: string;
}

/** The page of a link that leads nowhere. */
export function noClaimPage(language: PageLanguage): Html {
  const [title, text] = CLAIM_TEXTS[language].none;
  return page(404, title, `<p>${text}</p>`, { language });
}

const moneyOfRefund = ({ amount, currency }: InvoiceRefund, language: PageLanguage): string =>
  escapeHtml(localAmount(language, { asset: currency, units: amount }));

/** What has become of a refund whose account is named, or is not waited for any more. */
export function claimStatePage({ refund }: ClaimedRefund, language: PageLanguage): Html {
  const { status, payee_detail, failure, way } = refund;
  const isLate = (failure as { code?: string } | null)?.code === 'CLAIM_EXPIRED';
  const state = isLate || status === 'AWAITING_PAYER' ? 'EXPIRED' : status;
  const [title, text] = CLAIM_TEXTS[language].state[state];
  const where = way === 'card' ? CLAIM_TEXTS[language].card.name : (payee_detail ?? '');
  const said = text(moneyOfRefund(refund, language), escapeHtml(where));
  const look = state === 'PENDING' ? { lookAgainS: 5 } : {};
  return page(state === 'EXPIRED' ? 410 : 200, title, `<p>${said}</p>`, { language, ...look });
}

interface Form {
  readonly typed: TypedAccount;
  readonly obstacle?: ClaimObstacle | undefined;
}

/** Asks for a bank account, and says what is paid to it. Works without script. */
export function claimFormPage(
  { refund, description }: ClaimedRefund,
  language: PageLanguage,
  { typed, obstacle }: Form = { typed: {} },
): Html {
  const texts = CLAIM_TEXTS[language];
  const day = localDay(language, refund.claim_expires_at ?? '');
  const alert = obstacle === undefined ? '' : `<p role="alert">${texts.wrong[obstacle]}</p>`;
  const flaw = (field: keyof TypedAccount) => (field === obstacle ? ' aria-invalid="true"' : '');
  const value = (field: keyof TypedAccount) => escapeHtml(typed[field] ?? '');
  return page(
    obstacle === undefined ? 200 : 400,
    texts.title,
    `<p>${texts.offer(moneyOfRefund(refund, language), escapeHtml(description), day)}</p>
${alert}
<form method="post" action="?lang=${language}">
<label for="bank_code">${texts.bank}</label>
<select id="bank_code" name="bank_code" required${flaw('bank_code')}>
<option value="">${texts.choose}</option>
${bankOptions(typed.bank_code)}
</select>
<label for="account_number">${texts.number}</label>
<input id="account_number" name="account_number" inputmode="numeric" autocomplete="off" maxlength="30" required value="${value('account_number')}"${flaw('account_number')}>
<label for="account_name">${texts.name}</label>
<input id="account_name" name="account_name" autocomplete="name" maxlength="100" required value="${value('account_name')}"${flaw('account_name')}>
<button>${texts.button}</button>
</form>`,
    { language },
  );
}

/** Asks for the card that has paid. */
export function cardClaimPage(
  { refund, description }: ClaimedRefund,
  language: PageLanguage,
  obstacle?: ClaimObstacle,
): Html {
  const { title, wrong, offerCard, card } = CLAIM_TEXTS[language];
  const day = localDay(language, refund.claim_expires_at ?? '');
  const alert = obstacle === undefined ? '' : `<p role="alert">${wrong[obstacle]}</p>`;
  const { button } = card;
  return page(
    obstacle === undefined ? 200 : 400,
    title,
    `<p>${offerCard(moneyOfRefund(refund, language), escapeHtml(description), day)}</p>
${alert}
${cardForm({ action: `?lang=${language}`, button, texts: card, flaw: obstacle })}`,
    { language },
  );
}

const bankOptions = (chosen: string | undefined): string =>
  Object.entries(GATEWAY_BANKS)
    .map(
      ([code, name]) =>
        `<option value="${escapeHtml(code)}"${code === chosen ? ' selected' : ''}>${escapeHtml(name)}</option>`,
    )
    .join('\n');
