import type { Html } from '#kernel/http/declare/html.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import type { PageLanguage } from '#kernel/http/pages/language.ts';
import { escapeHtml, type Page, page } from '#kernel/http/pages/pages.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { CONFIRM_ADDRESS_PAGE, loginAddress } from './accounts.ts';
import { stateOfLink } from './confirm.ts';
import { USER_PAGE_TEXTS } from './page-texts.ts';

type PageDeps = Pick<Kernel, 'config' | 'publicUrl'>;

const TOKEN = /^[0-9a-f]{32}$/;
/** Callers cannot make the page show their own sentences. */
const ADDRESS = /^[^\s@]{1,254}@[^\s@]{1,254}$/;

export const confirmedPage = (deps: PageDeps, language: PageLanguage): Html => {
  const [title, text] = USER_PAGE_TEXTS[language].confirmed;
  return page(200, title, `<p>${text}</p>${toLogIn(deps, language)}`, { language });
};

/** For a harmless second click. */
export const usedLinkPage = (deps: PageDeps, status: 200 | 400, language: PageLanguage): Html => {
  const [title, text] = USER_PAGE_TEXTS[language].used;
  return page(status, title, `<p>${text}</p>\n${toLogIn(deps, language)}`, { language });
};

const toLogIn = (deps: PageDeps, language: PageLanguage, shown = ''): string =>
  `<p${shown}><a class="button" href="${escapeHtml(loginAddress(deps))}">${USER_PAGE_TEXTS[language].logIn}</a></p>`;

/** With a way to get a new one. */
export const invalidLinkPage = (language: PageLanguage): Html => {
  const { invalid, address, resend } = USER_PAGE_TEXTS[language];
  const [title, text] = invalid;
  return page(
    400,
    title,
    `<p>${text}</p>
<form data-json action="${API_PREFIX}/users/resend-confirmation" method="post">
<label for="email">${address}</label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="254" required>
<button>${resend}</button>
<p role="status"></p>
</form>`,
    { language },
  );
};

export const failedLinkPage = (language: PageLanguage): Html => {
  const [title, text] = USER_PAGE_TEXTS[language].failed;
  return page(500, title, `<p>${text}</p>`, { language });
};

/** The pages behind the links in our messages, outside the API. */
export const userPages = (deps: PageDeps & Pick<Kernel, 'db' | 'clock'>): Page[] => [
  {
    // To look changes nothing: scanners of mail open every link.
    path: CONFIRM_ADDRESS_PAGE,
    async render({ token = '' }, language) {
      const state = await stateOfLink(deps, token);
      if (state === 'used') return usedLinkPage(deps, 200, language);
      if (state === 'none') return invalidLinkPage(language);
      const [title, text, button] = USER_PAGE_TEXTS[language].confirm;
      return page(
        200,
        title,
        `<p>${text}</p>
<form data-json action="${API_PREFIX}/users/confirm" method="post">
<input type="hidden" name="token" value="${token}">
<button>${button}</button>
<p role="status"></p>
${toLogIn(deps, language, ' data-next hidden')}
</form>`,
        { language },
      );
    },
  },
  {
    path: '/accept-tos',
    render: (query, language) => termsPage(deps.config, query, language),
  },
];

function termsPage(
  { TOS_URL, TOS_VERSION }: PageDeps['config'],
  { user_id = '', email = '', token = '' }: Readonly<Record<string, string>>,
  language: PageLanguage,
): Html {
  const { cut, terms } = USER_PAGE_TEXTS[language];
  const whole = /^\d{1,10}$/.test(user_id) && ADDRESS.test(email) && TOKEN.test(token);
  if (!whole) return page(400, cut[0], `<p>${cut[1]}</p>`, { language });
  const version = TOS_VERSION === undefined ? '' : terms.version(escapeHtml(TOS_VERSION));
  const named =
    TOS_URL === undefined
      ? terms.ofOrganisation
      : terms.linked(`<a href="${escapeHtml(TOS_URL)}" target="_blank" rel="noopener">`);
  const shown =
    TOS_VERSION === undefined
      ? ''
      : `<input type="hidden" name="tos_version" value="${escapeHtml(TOS_VERSION)}">\n`;
  return page(
    200,
    terms.title,
    `<p>${terms.ask(escapeHtml(email), `${named}${version}`)}</p>
<form method="post" action="${API_PREFIX}/users/${user_id}/accept-tos" data-json>
<input type="hidden" name="token" value="${token}">
${shown}<button type="submit">${terms.button}</button>
<p role="status"></p>
</form>`,
    { language },
  );
}
