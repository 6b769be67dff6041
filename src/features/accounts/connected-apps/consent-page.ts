import type { Html } from '#kernel/http/declare/html.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import type { PageLanguage } from '#kernel/http/pages/language.ts';
import { escapeHtml, page } from '#kernel/http/pages/pages.ts';
import type { AppAsk, SentAsk, UnknownAsk, WrongAsk } from './ask.ts';
import { shownPlace } from './redirects.ts';
import { type AppScope, LEAST_SCOPE } from './scopes.ts';
import { CONSENT_TEXTS, type ConsentObstacle } from './texts.ts';

/** The field of a scope that a person may leave out. */
export const fieldOf = (scope: AppScope): string => `may_${scope.replace('mcp:', '')}`;

export function unknownPage({ unknown }: UnknownAsk, language: PageLanguage): Html {
  const [title, why] = CONSENT_TEXTS[language].unknown;
  return page(400, title, `<p>${why[unknown]}</p>`, { language });
}

export function amissPage({ wrong, back }: WrongAsk, language: PageLanguage): Html {
  const texts = CONSENT_TEXTS[language];
  const [title, text] = texts.amiss;
  const onward = buttonTo(back, texts.onward(escapeHtml(shownPlace(back))));
  return page(400, title, `<p>${text} <code>${escapeHtml(wrong)}</code></p>${onward}`, {
    language,
  });
}

/** Leads back to the app. A redirect would be stopped by browsers, since a form of this page may only go to us. */
export function backPage(how: 'allowed' | 'denied', back: string, language: PageLanguage): Html {
  const texts = CONSENT_TEXTS[language];
  const [title, text] = texts[how];
  const onward = buttonTo(back, texts.onward(escapeHtml(shownPlace(back))));
  const going = `<meta http-equiv="refresh" content="0;url=${escapeHtml(back)}">`;
  return page(200, title, `${going}<p>${text}</p>${onward}`, { language });
}

const buttonTo = (address: string, text: string): string =>
  `<p><a class="button" rel="noreferrer" href="${escapeHtml(address)}">${text}</a></p>`;

const OBSTACLE_STATUS: Readonly<Record<ConsentObstacle, number>> = {
  wrong: 401,
  code: 401,
  wrongCode: 401,
  inactive: 403,
  busy: 429,
};

interface Typed {
  readonly sent: SentAsk;
  readonly name?: string | undefined;
  /** What the person has left to the app before. */
  readonly scopes?: readonly AppScope[];
  readonly obstacle?: ConsentObstacle;
}

/** Says which app asks for what, and takes the log-in that allows it. Works without script. */
export function consentPage(
  { app, redirect_uri, scopes }: AppAsk,
  language: PageLanguage,
  { sent, name = '', scopes: chosen = scopes, obstacle }: Typed,
): Html {
  const texts = CONSENT_TEXTS[language];
  const [of, place] = [escapeHtml(app.name), escapeHtml(shownPlace(redirect_uri))];
  const alert = obstacle === undefined ? '' : `<p role="alert">${texts.wrong[obstacle]}</p>`;
  const hidden = Object.entries(sent)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `<input type="hidden" name="${key}" value="${escapeHtml(value)}">`);
  return page(
    obstacle === undefined ? 200 : OBSTACLE_STATUS[obstacle],
    texts.title(app.name),
    `<p>${texts.offer(of, place)}</p>
<p class="soft">${texts.stranger}</p>
${alert}
<form method="post" action="${API_PREFIX}/oauth/authorize?lang=${language}">
${hidden.join('\n')}
<fieldset><legend>${texts.may}</legend>
${scopes.map((scope) => boxOf(scope, texts.scopes[scope], chosen.includes(scope))).join('\n')}
</fieldset>
<label for="usernameoremail">${texts.name}</label>
<input id="usernameoremail" name="usernameoremail" autocomplete="username" maxlength="254" required value="${escapeHtml(name)}">
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required>
<label for="code">${texts.code}</label>
<input id="code" name="code" inputmode="text" autocomplete="one-time-code" maxlength="40" aria-describedby="code-note">
<p class="soft" id="code-note">${texts.codeNote}</p>
<button name="decision" value="allow">${texts.allow}</button>
<button class="second" name="decision" value="deny" formnovalidate>${texts.deny}</button>
</form>
<p class="soft">${texts.until}</p>`,
    { language },
  );
}

function boxOf(scope: AppScope, text: string, isChosen: boolean): string {
  const id = fieldOf(scope);
  const state = scope === LEAST_SCOPE ? ' checked disabled' : isChosen ? ' checked' : '';
  return `<label for="${id}"><input type="checkbox" id="${id}" name="${id}" value="yes"${state}> ${text}</label>`;
}
