import { Type } from 'typebox';
import { requesterOf } from '#kernel/access/requester.ts';
import { fail } from '#kernel/error.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { Email, HtmlPage, MessageField, text } from '#kernel/http/declare/schema.ts';
import type { Job } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { languageNow } from '#kernel/localised.ts';
import { type AskedAgain, confirmByLink } from './confirm.ts';
import { confirmedPage, failedLinkPage, invalidLinkPage, usedLinkPage } from './pages.ts';

export type ConfirmRouteDeps = Pick<
  Kernel,
  'db' | 'clock' | 'log' | 'credentials' | 'jobs' | 'config' | 'publicUrl'
> & { readonly resend: Job<AskedAgain> };

const endpoint = endpoints(errorEnvelope);

/** Contract: Account confirmation, the page; and the endpoint behind our mails' page. */
export const confirmRoutes = (deps: ConfirmRouteDeps): Route[] => [
  endpoint('GET /users/confirm/{token}', {
    name: 'users.confirm',
    auth: 'public',
    summary: 'The page behind the confirmation link; the token works once',
    once: true,
    params: Type.Object({ token: Type.String() }),
    reply: { 200: HtmlPage, 400: HtmlPage, 500: HtmlPage },
    async handler({ params, request }) {
      const language = languageNow();
      try {
        const became = await confirmByLink(deps, params.token, request);
        if (became === 'confirmed') return confirmedPage(deps, language);
        // The token is gone, so this is the contract's page of an invalid one, with the reason.
        return became === 'used' ? usedLinkPage(deps, 400, language) : invalidLinkPage(language);
      } catch (err) {
        deps.log.error({ err, request_id: request.id }, 'confirmation failed');
        return failedLinkPage(language);
      }
    },
  }),

  endpoint('POST /users/confirm', {
    name: 'users.confirmAddress',
    auth: 'public',
    summary: 'Confirms an e-mail address by the token of the mailed link, which works once',
    body: Type.Object({ token: text(200) }),
    reply: { 200: MessageField },
    errors: ['INVALID_TOKEN'],
    fault: 'Failed to confirm the account',
    async handler({ body, request }) {
      const became = await confirmByLink(deps, body.token, request);
      if (became === 'confirmed') return { message: 'Your account is confirmed.' };
      if (became === 'used') return { message: 'Your account was confirmed before.' };
      throw fail('INVALID_TOKEN', 'Invalid or expired confirmation link', {
        hint: 'Ask for a new one: POST /users/resend-confirmation.',
      });
    },
  }),

  endpoint('POST /users/resend-confirmation', {
    name: 'users.resendConfirmation',
    auth: 'public',
    summary:
      'Mails a new confirmation link to the users who need one; answers the same if there are none',
    body: Type.Object({ email: Email }),
    reply: { 200: MessageField },
    atomic: true,
    async handler({ caller, body, request, db }) {
      const asked = {
        email: body.email,
        by: requesterOf(caller, request),
        language: languageNow(),
      };
      await deps.jobs.enqueue(db, deps.resend, asked, { key: body.email.toLowerCase() });
      return { message: 'If the address waits to be confirmed, a new link is on its way.' };
    },
  }),
];
