import { escapeHtml } from '#kernel/http/pages/pages.ts';
import { money } from '#kernel/money/money.ts';
import { GATEWAY_BANKS } from '#providers/gateway/port.ts';
import { cardForm } from '../card/form.ts';
import { isGatewayMethod } from '../payment-store.ts';
import { pageMoney } from './money-text.ts';
import type { CheckoutPage, CheckoutShown } from './shown.ts';
import type { CheckoutTexts } from './texts.ts';

type Try = CheckoutPage['checkout']['tries'][number];

const moneyIn = ({ language, checkout: { currency } }: CheckoutPage, units: bigint): string =>
  pageMoney(language, currency, units);
const textIn = (shown: CheckoutPage, amount: string): string =>
  moneyIn(shown, money(shown.checkout.currency, amount).units);

/** What is sold, by whom, and how much is to be paid until when. */
export function facts(shown: CheckoutShown): string {
  const { invoice, checkout, texts, leftS } = shown;
  const { status } = checkout;
  const isOpen = status === 'OPEN' || status === 'PARTIALLY_PAID';
  const sum = isOpen ? invoice.amount - invoice.paid : invoice.amount;
  const until = invoice.expires_at.slice(0, 16).replace('T', ' ');
  const open = isOpen
    ? `<dt>${texts.until}</dt><dd><time datetime="${invoice.expires_at}">${until} UTC</time></dd>
<dt>${texts.left}</dt><dd><span role="timer" data-left="${leftS}">${leftText(leftS)}</span></dd>`
    : '';
  const arrived =
    status === 'PARTIALLY_PAID'
      ? `<dt>${texts.arrived}</dt><dd>${moneyIn(shown, invoice.paid)}</dd>`
      : '';
  return `<p class="sum">${moneyIn(shown, sum)}</p>
<dl><dt>${texts.of}</dt><dd>${escapeHtml(invoice.description)}</dd>
${arrived}${open}<dt>${texts.number}</dt><dd><code>${invoice.object_id}</code></dd></dl>
${itemsPart(shown)}`;
}

const leftText = (seconds: number): string => {
  const part = (n: number) => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  return `${hours > 0 ? `${hours}:` : ''}${part(Math.floor(seconds / 60) % 60)}:${part(seconds % 60)}`;
};

function itemsPart(shown: CheckoutShown): string {
  const { invoice, texts } = shown;
  if (invoice.items.length === 0) return '';
  const rows = invoice.items.map(({ name, quantity, unit_amount }) => {
    const units = BigInt(unit_amount) * BigInt(quantity);
    return `<tr><td>${quantity} × ${escapeHtml(name)}</td><td>${moneyIn(shown, units)}</td></tr>`;
  });
  return `<details><summary>${texts.items} (${rows.length})</summary>
<table class="items"><thead><tr><th scope="col">${texts.item}</th><th scope="col">${texts.price}</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></details>`;
}

/** The ways that there are, each a button: nothing is made by looking. */
export function waysPart(shown: CheckoutShown): string {
  const { checkout, invoice, path, texts, seller } = shown;
  const { ways, tries } = checkout;
  const others = ways.filter(
    ({ method }) => isGatewayMethod(method) && !tries.some((one) => one.method === method),
  );
  const buttons = others.map(
    ({ method, amount }) =>
      `<button id="pay-${method}" name="method" value="${method}"${tries.length > 0 ? ' class="second"' : ''}><span>${texts.method[method]}</span> <span>${textIn(shown, amount)}</span></button>`,
  );
  const wallet = ways.some(({ method }) => method === 'wallet')
    ? `<p class="soft">${escapeHtml(texts.walletHow(seller.name))}<br><code>${invoice.object_id}</code></p>`
    : '';
  const card = cardPart(shown, buttons.length === 0);
  if (buttons.length === 0 && card === '')
    return wallet || (tries.length > 0 ? '' : `<p>${texts.noWays}</p>`);
  const form =
    buttons.length === 0
      ? ''
      : `<form class="ways" method="post" action="${escapeHtml(path('/payments'))}">${buttons.join('\n')}</form>`;
  return `<h2>${tries.length > 0 ? texts.otherWays : texts.ways}</h2>
${form}
${card}
${wallet}`;
}

const CARD_FLAWS: ReadonlySet<string> = new Set([
  ...['CARD_DECLINED', 'card_number', 'expiry_date', 'cvv'],
]);

/** The form for a card: open where it is the only way, or was not right just now. */
function cardPart(shown: CheckoutShown, isOnly: boolean): string {
  const { checkout, path, texts, refused } = shown;
  const way = checkout.ways.find(({ method }) => method === 'card');
  if (!way) return '';
  const flaw = refused && CARD_FLAWS.has(refused.code) ? refused.code : undefined;
  const amount = textIn(shown, way.amount);
  const button = texts.payByCard(amount);
  const form = cardForm({ action: path('/card'), button, texts: texts.card, flaw });
  return `<details class="way" id="card"${isOnly || flaw !== undefined ? ' open' : ''}>
<summary><span>${texts.method.card}</span> <span>${amount}</span></summary>
${form}
<p class="soft">${texts.cardHow}</p></details>`;
}

/** A try that is open: what its payer has to do, and how to call it off. */
export function tryPart(shown: CheckoutShown, one: Try): string {
  const { path, texts } = shown;
  return `<section>
<h2>${texts.method[one.method]} · ${textIn(shown, one.amount)}</h2>
${actionPart(shown, one)}
<form method="post" action="${escapeHtml(path('/cancel'))}">
<input type="hidden" name="payment_id" value="${one.payment_id}">
<button id="cancel-${one.method}" class="second">${texts.cancel}</button></form>
</section>`;
}

function actionPart({ texts }: CheckoutShown, { method, action }: Try): string {
  if (action === null) return `<p>${texts.preparing}</p>`;
  if (action.accounts.length > 0) return accountsPart(texts, action);
  return `<p><a class="button" id="go-${method}" target="_top" rel="noreferrer" href="${escapeHtml(action.url)}">${texts.go[method]}</a></p>
<p class="soft">${texts.goHow}</p>`;
}

/** Numbers to copy, one for each bank; the gateway's own page tells how each app does it. */
function accountsPart(texts: CheckoutTexts, { accounts, url }: NonNullable<Try['action']>): string {
  const rows = accounts.map(({ bank_code, account_number, account_name }) => {
    const bank = GATEWAY_BANKS[bank_code] ?? bank_code;
    const id = `account-${bank_code.toLowerCase()}`;
    return `<dt>${escapeHtml(texts.accountAt(bank))}</dt><dd><code class="text" id="${escapeHtml(id)}">${escapeHtml(account_number)}</code>
<button type="button" class="second small" data-copy="${escapeHtml(id)}" data-copied="${texts.copied}" aria-label="${escapeHtml(`${texts.copy}: ${texts.accountAt(bank)}`)}" hidden>${texts.copy}</button><br><span class="soft">${texts.accountName}: ${escapeHtml(account_name)}</span></dd>`;
  });
  return `<p>${texts.account}</p>
<dl>${rows.join('\n')}</dl>
<p class="soft"><a id="go-va" target="_top" rel="noreferrer" href="${escapeHtml(url)}">${texts.go.va}</a></p>`;
}
