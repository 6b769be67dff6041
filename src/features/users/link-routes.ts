import { Type } from 'typebox';
import { logActivity } from '#features/activity/activity.ts';
import { requireUser, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { transact } from '#kernel/db/transact.ts';
import { errorEnvelope } from '#kernel/http/envelope.ts';
import { fail } from '#kernel/http/error.ts';
import { escapeHtml, type Page, page } from '#kernel/http/pages.ts';
import { API_PREFIX } from '#kernel/http/prefix.ts';
import { endpoints, type Html, type Route } from '#kernel/http/route.ts';
import { HtmlPage, Id, IdInput, Timestamp, text } from '#kernel/http/schema.ts';
import { secret } from '#kernel/http/secret.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { digestOf } from '#kernel/secrets/token.ts';
import { newLink } from './accounts.ts';
import { tellUser } from './events.ts';
import { takeLink } from './link-store.ts';
import { acceptTos, confirmUser } from './store.ts';

export type LinkDeps = Pick<Kernel, 'clock' | 'log' | 'publicUrl' | 'credentials'>;

const endpoint = endpoints(errorEnvelope);

/** Decisions: Smaller points, log-in. */
const TOS_TTL_MS = 24 * 3600 * 1000;
const TOKEN = /^[0-9a-f]{32}$/;
/** Callers cannot make the page show their own sentences. */
const ADDRESS = /^[^\s@]{1,254}@[^\s@]{1,254}$/;

/** Contract: Account confirmation; Users, the confirmation page and the acceptance of the terms. */
export const linkRoutes = (deps: LinkDeps): Route[] => [
  ...confirmationRoutes(deps),
  ...termsRoutes(deps),
];

const confirmationRoutes = (deps: LinkDeps): Route[] => [
  endpoint('GET /users/confirm/{token}', {
    name: 'users.confirm',
    auth: 'public',
    summary: 'The page behind the confirmation link; the token works once',
    once: true,
    params: Type.Object({ token: Type.String() }),
    reply: { 200: HtmlPage, 400: HtmlPage, 500: HtmlPage },
    async handler({ params, request, db }) {
      const { clock, log, credentials } = deps;
      if (!TOKEN.test(params.token)) return refusedPage();
      try {
        const user = await transact(db, async (tx) => {
          const digest = digestOf(params.token);
          const link = await takeLink(tx, { digest, purpose: 'confirm' });
          if (!link || new Date(link.expires_at) <= clock.now()) return undefined;
          const confirmed = await confirmUser(tx, link.user_id, clock.now());
          if (!confirmed) return undefined;
          const { user_id, client_id } = confirmed;
          const subject = { client_id, subject_user_id: user_id, request };
          await tellUser(tx, 'updated', user_id);
          await logActivity(tx, { action: 'USER_CONFIRM', actor: null, ...subject });
          return confirmed;
        });
        if (!user) return refusedPage();
        credentials.forget('user', user.user_id);
        return page(200, 'Account confirmed', '<p>Your account is confirmed. You can log in.</p>');
      } catch (err) {
        log.error({ err, request_id: request.id }, 'confirmation failed');
        return page(
          500,
          'Something went wrong',
          '<p>Your account could not be confirmed. Please open the link again in a while.</p>',
        );
      }
    },
  }),
];

const termsRoutes = (deps: LinkDeps): Route[] => [
  endpoint('GET /users/{user_id}/tos-acceptance-link', {
    name: 'users.getTermsLink',
    auth: 'user',
    errors: ['USER_NOT_FOUND'],
    summary: 'A 24-hour link to the page on which a user accepts the terms of service',
    params: Type.Object({ user_id: IdInput }),
    invalid: 'Invalid user ID',
    reply: { 200: Type.Object({ message: Type.String(), link: secret(Type.String()) }) },
    fault: 'Failed to create the TOS acceptance link',
    async handler({ caller, params, db }) {
      const { user_id, email } = await requireUser(db, tenantScopeOf(caller), params.user_id);
      const expires_at = new Date(deps.clock.now().getTime() + TOS_TTL_MS);
      const token = await newLink(db, { user_id, purpose: 'tos', expires_at });
      const query = new URLSearchParams({ user_id: String(user_id), email, token });
      return {
        message: 'TOS acceptance link generated successfully',
        link: `${deps.publicUrl()}/accept-tos?${query}`,
      };
    },
  }),

  endpoint('POST /users/{user_id}/accept-tos', {
    name: 'users.acceptTerms',
    auth: 'public',
    errors: ['INVALID_TOKEN', 'LINK_EXPIRED'],
    summary: 'Accepts the terms of service with the token of the link, which works once',
    params: Type.Object({ user_id: IdInput }),
    body: Type.Object({ token: text(200) }),
    invalid: 'Invalid token or user ID',
    reply: {
      200: Type.Object({ message: Type.String(), user_id: Id, tos_accepted_at: Timestamp }),
    },
    atomic: true,
    fault: 'Failed to accept the TOS',
    async handler({ params, body, request, db }) {
      const { clock } = deps;
      const { user_id } = params;
      const link = await takeLink(db, { digest: digestOf(body.token), purpose: 'tos', user_id });
      if (!link) throw fail('INVALID_TOKEN', 'Invalid token or user ID');
      if (new Date(link.expires_at) <= clock.now()) throw fail('LINK_EXPIRED', 'Token has expired');
      const { client_id, tos_accepted_at } = await acceptTos(db, user_id, clock.now());
      const subject = { client_id, subject_user_id: user_id, request };
      await tellUser(db, 'updated', user_id);
      await logActivity(db, { action: 'USER_ACCEPT_TOS', actor: null, ...subject });
      if (tos_accepted_at === null) throw new Error('The acceptance was not stored');
      return { message: 'Terms of Service accepted successfully', user_id, tos_accepted_at };
    },
  }),
];

const refusedPage = (): Html =>
  page(
    400,
    'Link not valid',
    '<p>This link is invalid or has expired. Please ask for a new one.</p>',
  );

/** The pages behind the links in our messages, outside the API. */
export const userPages = (): Page[] => [
  {
    path: '/accept-tos',
    render({ user_id = '', email = '', token = '' }) {
      const whole = /^\d{1,10}$/.test(user_id) && ADDRESS.test(email) && TOKEN.test(token);
      if (!whole) return refusedPage();
      return page(
        200,
        'Terms of service',
        `<p>${escapeHtml(email)}, please confirm that you have read the terms of service and
agree to them.</p>
<form method="post" action="${API_PREFIX}/users/${user_id}/accept-tos" data-json>
<input type="hidden" name="token" value="${token}">
<button type="submit">I accept</button>
<p role="status"></p>
</form>`,
      );
    },
  },
  {
    path: '/login',
    render: () =>
      page(
        200,
        'Log in',
        `<p>Log in from the application that your organisation uses with Archipay: enter the user
name or e-mail address and the password of your welcome message there.</p>
<p>Applications call <code>POST ${API_PREFIX}/auth/login</code>; see the
<a href="/docs">reference</a>.</p>`,
      ),
  },
];
