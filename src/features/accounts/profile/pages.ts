import { FORGOTTEN_PAGE } from '#features/accounts/security-notices/security-notices.ts';
import type { Html } from '#kernel/http/declare/html.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import { escapeHtml, type Page, page } from '#kernel/http/pages/pages.ts';
import type { ProfileFeatureDeps } from './deps.ts';
import { isEmailLinkOpen, NEW_EMAIL_PAGE, UNDO_EMAIL_PAGE } from './email.ts';
import { PROFILE_TEXTS } from './texts.ts';

/** The pages behind the two links of a change of address, in the reader's language. */
export const profilePages = (deps: ProfileFeatureDeps): Page[] => [
  pageOf(deps, NEW_EMAIL_PAGE, 'confirm'),
  pageOf(deps, UNDO_EMAIL_PAGE, 'undo'),
];

const pageOf = (
  { db, clock }: ProfileFeatureDeps,
  path: Page['path'],
  link: 'confirm' | 'undo',
): Page => ({
  path,
  // To look changes nothing: scanners of mail open every link.
  async render({ token = '' }, language): Promise<Html> {
    const { pages } = PROFILE_TEXTS[language];
    const options = { language };
    if (!(await isEmailLinkOpen(db, link, token, clock.now()))) {
      const [title, said] = pages.gone;
      return page(400, title, `<p>${said}</p>`, options);
    }
    const [title, said, button] = pages[link];
    const next =
      link === 'undo'
        ? `<a class="button" href="${FORGOTTEN_PAGE}">${pages.reset}</a>`
        : `<a class="button" href="/login">${pages.logIn}</a>`;
    return page(
      200,
      title,
      `<p>${said}</p>
<form data-json action="${API_PREFIX}/profile/email/${link}" method="post">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button>${button}</button>
<p role="status"></p>
<p data-next hidden>${next}</p>
</form>`,
      options,
    );
  },
});
