import type { Html } from '#kernel/http/declare/html.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import { escapeHtml, type Page, page } from '#kernel/http/pages/pages.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { CONFIRM_ADDRESS_PAGE, loginAddress } from './accounts.ts';
import { stateOfLink } from './confirm.ts';

type PageDeps = Pick<Kernel, 'config' | 'publicUrl'>;

const TOKEN = /^[0-9a-f]{32}$/;
/** Callers cannot make the page show their own sentences. */
const ADDRESS = /^[^\s@]{1,254}@[^\s@]{1,254}$/;

export const confirmedPage = (deps: PageDeps): Html =>
  page(200, 'Account confirmed', `<p>Your account is confirmed.</p>${toLogIn(deps)}`);

/** For a harmless second click. */
export const usedLinkPage = (deps: PageDeps, status: 200 | 400): Html =>
  page(
    status,
    'Already confirmed',
    `<p>Your account is confirmed; the link has done its work and is not needed any more.</p>
${toLogIn(deps)}`,
  );

const toLogIn = (deps: PageDeps, shown = ''): string =>
  `<p${shown}><a class="button" href="${escapeHtml(loginAddress(deps))}">Log in</a></p>`;

/** With a way to get a new one. */
export const invalidLinkPage = (): Html =>
  page(
    400,
    'Link not valid',
    `<p>This link is invalid or has expired: it counts for 24 hours.</p>
<form data-json action="${API_PREFIX}/users/resend-confirmation" method="post">
<label for="email">Your e-mail address</label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="254" required>
<button>Send a new link</button>
<p role="status"></p>
</form>`,
  );

/** The pages behind the links in our messages, outside the API. */
export const userPages = (deps: PageDeps & Pick<Kernel, 'db' | 'clock'>): Page[] => [
  {
    // To look changes nothing: scanners of mail open every link.
    path: CONFIRM_ADDRESS_PAGE,
    async render({ token = '' }) {
      const state = await stateOfLink(deps, token);
      if (state === 'used') return usedLinkPage(deps, 200);
      if (state === 'none') return invalidLinkPage();
      return page(
        200,
        'Confirm your e-mail address',
        `<p>Is the address yours to which the link was sent? Then confirm it.</p>
<form data-json action="${API_PREFIX}/users/confirm" method="post">
<input type="hidden" name="token" value="${token}">
<button>Yes, confirm it</button>
<p role="status"></p>
${toLogIn(deps, ' data-next hidden')}
</form>`,
      );
    },
  },
  { path: '/accept-tos', render: (query) => termsPage(deps.config, query) },
];

function termsPage(
  { TOS_URL, TOS_VERSION }: PageDeps['config'],
  { user_id = '', email = '', token = '' }: Readonly<Record<string, string>>,
): Html {
  const whole = /^\d{1,10}$/.test(user_id) && ADDRESS.test(email) && TOKEN.test(token);
  if (!whole)
    return page(
      400,
      'Link not valid',
      '<p>This link is not whole. Please open it again from where you got it, or ask for a new one.</p>',
    );
  const version = TOS_VERSION === undefined ? '' : ` (version ${escapeHtml(TOS_VERSION)})`;
  const terms =
    TOS_URL === undefined
      ? `the terms of service of your organisation${version}`
      : `the <a href="${escapeHtml(TOS_URL)}" target="_blank" rel="noopener">terms of service</a>${version}`;
  const shown =
    TOS_VERSION === undefined
      ? ''
      : `<input type="hidden" name="tos_version" value="${escapeHtml(TOS_VERSION)}">\n`;
  return page(
    200,
    'Terms of service',
    `<p>${escapeHtml(email)}, please confirm that you have read ${terms} and agree to them.</p>
<form method="post" action="${API_PREFIX}/users/${user_id}/accept-tos" data-json>
<input type="hidden" name="token" value="${token}">
${shown}<button type="submit">I accept</button>
<p role="status"></p>
</form>`,
  );
}
