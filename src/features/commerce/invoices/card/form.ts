import { escapeHtml } from '#kernel/http/pages/pages.ts';
import type { TypedCard } from './typed.ts';

export interface CardFormTexts {
  readonly number: string;
  readonly expiry: string;
  readonly expiryHow: string;
  readonly cvv: string;
}

interface CardForm {
  readonly action: string;
  readonly button: string;
  readonly texts: CardFormTexts;
  /** What was wrong with what was typed just now. */
  readonly flaw?: string | undefined;
}

/** Where a card is typed. What was typed is never sent back: the fields are empty again. */
export function cardForm({ action, button, texts, flaw }: CardForm): string {
  const input = (name: keyof TypedCard, label: string, more: string) =>
    `<label for="${name}">${label}</label>
<input id="${name}" name="${name}" inputmode="numeric" required ${more}${flaw === name ? ' aria-invalid="true"' : ''}>`;
  return `<form class="card-form" method="post" action="${escapeHtml(action)}">
${input('card_number', texts.number, 'autocomplete="cc-number" maxlength="19" placeholder="0000 0000 0000 0000"')}
<div class="pair"><div>${input('expiry_date', texts.expiry, `autocomplete="cc-exp" maxlength="7" placeholder="${texts.expiryHow}"`)}</div>
<div>${input('cvv', texts.cvv, 'autocomplete="cc-csc" maxlength="3"')}</div></div>
<button id="pay-card">${button}</button></form>`;
}
