import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { escapeHtml, type Page, page } from '#kernel/http/pages.ts';
import { isGoodLink, RESET_PAGE } from './reset-password.ts';
import { PASSWORD_MIN } from './routes.ts';

/** What the link in the e-mail opens. */
export const signInPages = ({ db, clock }: { readonly db: Db; readonly clock: Clock }): Page[] => [
  {
    path: RESET_PAGE,
    async render({ token = '' }) {
      if (!(await isGoodLink(db, token, clock.now())))
        return page(
          400,
          'This link does not work any more',
          '<p>Reset links work once, within an hour. Ask for a new one to go on.</p>',
        );
      return page(
        200,
        'Set a new password',
        `<form data-json action="/api/password/reset" method="post">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<label for="new_password">New password</label>
<input id="new_password" name="new_password" type="password" autocomplete="new-password"
  minlength="${PASSWORD_MIN}" maxlength="1024" required autofocus>
<button>Set password</button>
<p role="status"></p>
</form>`,
      );
    },
  },
];
