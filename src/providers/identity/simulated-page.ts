import type { FastifyInstance, FastifyReply } from 'fastify';
import type { World } from '#sandbox/simulator.ts';
import type { ReviewAnswer } from './port.ts';
import { ensureApplicant, finishReview, levelType, PROVIDER } from './simulated-applicants.ts';
import { type AccessRequest, verificationType } from './wire.ts';

type Link = AccessRequest & { readonly expires_at: number };
interface ByLink {
  Params: { link: string };
}

const FORM = 'application/x-www-form-urlencoded';
const NAME_MAX = 200;

/** The page that a hosted link leads to: a person gives a name and plays the reviewer. */
export function hostedPages(server: FastifyInstance, world: World, webhookSecret: string): void {
  server.register(async (pages) => {
    pages.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, parsed) =>
      parsed(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );

    pages.get<ByLink>('/identity/websdk/p/:link', async ({ params }, reply) => {
      const link = await openLink(world, params.link);
      return link === undefined ? show(reply, 404, GONE) : show(reply, 200, form(link));
    });

    pages.post<ByLink>('/identity/websdk/p/:link', async ({ params, body }, reply) => {
      const link = await openLink(world, params.link);
      if (link === undefined) return show(reply, 404, GONE);
      const { name = '', decision = '' } = (body ?? {}) as { name?: string; decision?: string };
      const answer = ANSWERS[decision];
      if (name.trim() === '' || name.length > NAME_MAX || answer === undefined)
        return show(reply, 400, form(link, 'Please fill in the name, then decide.'));
      const type = verificationType(link.levelName, undefined);
      const { delivered } = await finishReview(world, webhookSecret, {
        externalUserId: link.userId,
        type,
        reviewAnswer: answer,
        name: name.trim(),
      });
      return show(reply, 200, result(answer, delivered));
    });
  });
}

const ANSWERS: Readonly<Record<string, ReviewAnswer | undefined>> = {
  approve: 'GREEN',
  reject: 'RED',
};

/** Following a link makes the applicant, as at the provider. Nothing when the link is no good. */
async function openLink(world: World, token: string): Promise<Link | undefined> {
  const link = await world.records.get<Link>(PROVIDER, 'link', token);
  if (link === undefined || link.expires_at <= world.clock.seconds()) return undefined;
  const { userId: externalUserId, levelName, applicantIdentifiers } = link;
  const type = levelType(levelName);
  await ensureApplicant(world, { externalUserId, levelName, type, ...applicantIdentifiers });
  return link;
}

function show(reply: FastifyReply, status: number, content: string) {
  return (
    reply
      .code(status)
      .header('content-security-policy', POLICY)
      .header('x-content-type-options', 'nosniff')
      // Without any the browser would not say whose page its form is, and the sandbox takes only its own.
      .header('referrer-policy', 'same-origin')
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page(content))
  );
}

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

function form({ userId, levelName }: Link, fault = ''): string {
  const company = verificationType(levelName, undefined) === 'KYB';
  return `
  <h1>${company ? 'Verify your company' : 'Verify your identity'}</h1>
  <p class="soft">
    Level <code>${escapeHtml(levelName)}</code>, user <code>${escapeHtml(userId)}</code>
  </p>
  ${fault === '' ? '' : `<p role="alert">${escapeHtml(fault)}</p>`}
  <form method="post">
    <label for="name">${company ? 'Company name' : 'Full name'}, as in the documents</label>
    <input id="name" name="name" required maxlength="${NAME_MAX}" autocomplete="name">
    <p class="soft">This is the sandbox: no documents are needed, and you decide the review.</p>
    <div>
      <button name="decision" value="approve">Approve</button>
      <button name="decision" value="reject" class="plain">Reject</button>
    </div>
  </form>`;
}

function result(answer: ReviewAnswer, delivered: boolean): string {
  const result = delivered
    ? 'The service has been result. You may close this window.'
    : 'The service has not taken the call yet.';
  return `
  <h1>${answer === 'GREEN' ? 'Verification approved' : 'Verification rejected'}</h1>
  <p role="status">${result}</p>`;
}

const GONE = `
  <h1>This link is no longer valid</h1>
  <p>Please ask for a new one.</p>`;

const page = (content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Verification (sandbox)</title>
<link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; }
  body { margin: 10vh auto; max-width: 26rem; padding: 0 1.25rem; }
  body { font: 16px/1.5 system-ui, sans-serif; }
  h1 { font-size: 1.4rem; }
  label { display: block; margin-bottom: .25rem; }
  input { width: 100%; box-sizing: border-box; }
  input, button { font: inherit; padding: .5rem .75rem; }
  input, button { border: 1px solid #8888; border-radius: .4rem; }
  button { cursor: pointer; background: #0a7d6c; border-color: #0a7d6c; color: #fff; }
  button.plain { background: transparent; border-color: #8888; color: inherit; }
  .soft { opacity: .7; font-size: .9rem; }
  [role=alert] { color: #c33; }
</style>
</head>
<body>
<main>${content}
</main>
</body>
</html>
`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
