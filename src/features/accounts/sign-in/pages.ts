import { FORGOTTEN_PAGE } from '#features/accounts/security-notices/security-notices.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import { escapeHtml, type Page, page } from '#kernel/http/pages/pages.ts';
import { type AllAdditions, changesInWords } from './added-since.ts';
import { findGoodLink, RESET_PAGE } from './reset-password.ts';
import { PASSWORD_MIN } from './routes.ts';

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
  readonly additions: AllAdditions;
}

/** The page of the mailed link, and the page that requests one. */
export const signInPages = ({ db, clock, additions }: Deps): Page[] => [
  {
    path: RESET_PAGE,
    async render({ token = '' }) {
      const link = await findGoodLink(db, token, clock.now());
      if (!link)
        return page(
          400,
          'This link does not work any more',
          `<p>Reset links work once, within an hour.</p>
<p><a class="button" href="${FORGOTTEN_PAGE}">Ask for a new one</a></p>`,
        );
      const added = changesInWords(await additions.list(db, link.user_id, link.password_reset_at));
      return page(
        200,
        'Set a new password',
        `<form data-json action="${API_PREFIX}/password/reset" method="post">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<label for="new_password">New password</label>
<input id="new_password" name="new_password" type="password" autocomplete="new-password"
  minlength="${PASSWORD_MIN}" maxlength="1024" aria-describedby="rule" required autofocus>
<p class="soft" id="rule">At least ${PASSWORD_MIN} characters. A few words that only you would put together are good.</p>
${added.length > 0 ? undoing(added) : ''}
<button>Set password</button>
<p role="status"></p>
<p data-next hidden><a class="button" href="/login">Log in</a></p>
</form>`,
      );
    },
  },
  { path: FORGOTTEN_PAGE, render: () => page(200, 'Forgotten password', FORGOTTEN) },
];

const FORGOTTEN = `<p>We mail you a link to set a new password. It also shows what was added to your account
lately, and takes it away if it is not yours.</p>
<form data-json action="${API_PREFIX}/password/forgotten" method="post">
<label for="email">Your e-mail address</label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="254" required>
<button>Send me a link</button>
<p role="status"></p>
</form>`;

const undoing = (added: readonly string[]): string =>
  `<p>Since the last reset this was added to the account:</p>
<ul>${added.map((what) => `<li>${escapeHtml(what)}</li>`).join('')}</ul>
<label><input name="undo" type="checkbox"> Not all of this is mine: remove all of it</label>`;
