import { FORGOTTEN_PAGE } from '#features/accounts/security-notices/security-notices.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import type { PageLanguage } from '#kernel/http/pages/language.ts';
import { escapeHtml, type Page, page } from '#kernel/http/pages/pages.ts';
import { type AllAdditions, changesInWords } from './added-since.ts';
import { findGoodLink, RESET_PAGE } from './reset-password.ts';
import { PASSWORD_MIN } from './routes.ts';
import { SIGN_IN_TEXTS } from './texts.ts';

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
  readonly additions: AllAdditions;
}

/** The page of the mailed link, and the page that requests one. */
export const signInPages = (deps: Deps): Page[] => [
  {
    path: RESET_PAGE,
    async render({ token = '' }, language) {
      const { db, clock, additions } = deps;
      const { pages: texts } = SIGN_IN_TEXTS[language];
      const link = await findGoodLink(db, token, clock.now());
      if (!link) {
        const [title, text, button] = texts.gone;
        const again = `<p><a class="button" href="${FORGOTTEN_PAGE}">${button}</a></p>`;
        return page(400, title, `<p>${text}</p>\n${again}`, { language });
      }
      const added = await additions.list(db, link.user_id, link.password_reset_at);
      const lines = changesInWords(added, language);
      return page(200, texts.title, resetForm(token, lines, language), { language });
    },
  },
  {
    path: FORGOTTEN_PAGE,
    render: (_query, language) => {
      const { forgotten, address, send } = SIGN_IN_TEXTS[language].pages;
      const [title, text] = forgotten;
      return page(
        200,
        title,
        `<p>${text}</p>
<form data-json action="${API_PREFIX}/password/forgotten" method="post">
<label for="email">${address}</label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="254" required>
<button>${send}</button>
<p role="status"></p>
</form>`,
        { language },
      );
    },
  },
];

function resetForm(token: string, added: readonly string[], language: PageLanguage): string {
  const { password, rule, button, logIn, ...texts } = SIGN_IN_TEXTS[language].pages;
  const undoing =
    added.length === 0
      ? ''
      : `<p>${texts.added}</p>
<ul>${added.map((what) => `<li>${escapeHtml(what)}</li>`).join('')}</ul>
<label><input name="undo" type="checkbox"> ${texts.undo}</label>`;
  return `<form data-json action="${API_PREFIX}/password/reset" method="post">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<label for="new_password">${password}</label>
<input id="new_password" name="new_password" type="password" autocomplete="new-password"
  minlength="${PASSWORD_MIN}" maxlength="1024" aria-describedby="rule" required autofocus>
<p class="soft" id="rule">${rule(PASSWORD_MIN)}</p>
${undoing}
<button>${button}</button>
<p role="status"></p>
<p data-next hidden><a class="button" href="/login">${logIn}</a></p>
</form>`;
}
