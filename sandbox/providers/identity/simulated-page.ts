import type { FastifyInstance, FastifyReply } from 'fastify';
import { scope } from '#kernel/http/declare/scope.ts';
import { escapeHtml } from '#kernel/http/pages/pages.ts';
import type { ReviewAnswer } from '#providers/identity/port.ts';
import { type AccessRequest, verificationType } from '#providers/identity/wire.ts';
import { showPage, takeForms } from '#sandbox/hosted-page.ts';
import type { World } from '#sandbox/simulator.ts';
import {
  ensureApplicant,
  finishReview,
  levelType,
  SIMULATED_IDENTITY_PROVIDER,
} from './simulated-applicants.ts';

type Link = AccessRequest & { readonly expires_at: number };
interface ByLink {
  Params: { link: string };
}

const NAME_MAX = 200;

/** The page that a hosted link leads to: a person gives a name and plays the reviewer. */
export function hostedPages(server: FastifyInstance, world: World, webhookSecret: string): void {
  scope(server, 'identity pages', (pages) => {
    takeForms(pages);

    pages.get<ByLink>('/identity/websdk/p/:link', async ({ params }, reply) => {
      const link = await openLink(world, params.link);
      return link === undefined ? show(reply, 404, GONE) : show(reply, 200, form(link));
    });

    pages.post<ByLink>('/identity/websdk/p/:link', async ({ params, body }, reply) => {
      const link = await openLink(world, params.link);
      if (link === undefined) return show(reply, 404, GONE);
      const { name = '', decision = '' } = (body ?? {}) as { name?: string; decision?: string };
      const answer = ANSWERS.get(decision);
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

const ANSWERS: ReadonlyMap<string, ReviewAnswer> = new Map([
  ['approve', 'GREEN'],
  ['reject', 'RED'],
]);

/** Following a link makes the applicant, as at the provider. Nothing when the link is no good. */
async function openLink(world: World, token: string): Promise<Link | undefined> {
  const link = await world.records.get<Link>(SIMULATED_IDENTITY_PROVIDER, 'link', token);
  if (link === undefined || link.expires_at <= world.clock.seconds()) return undefined;
  const { userId: externalUserId, levelName, applicantIdentifiers } = link;
  const type = levelType(levelName);
  await ensureApplicant(world, { externalUserId, levelName, type, ...applicantIdentifiers });
  return link;
}

const show = (reply: FastifyReply, status: number, content: string) =>
  showPage(reply, status, 'Verification', content);

function form({ userId, levelName }: Link, fault = ''): string {
  const company = verificationType(levelName, undefined) === 'KYB';
  return `
  <h1>${company ? 'Verify your company' : 'Verify your identity'}</h1>
  <p class="soft">
    Verification of a ${company ? 'company' : 'person'}, user <code>${escapeHtml(userId)}</code>
  </p>
  ${fault === '' ? '' : `<p role="alert">${escapeHtml(fault)}</p>`}
  <form method="post">
    <label for="name">${company ? 'Company name' : 'Full name'}, as in the documents</label>
    <input id="name" name="name" required maxlength="${NAME_MAX}" autocomplete="name">
    <p class="soft">This is the sandbox: no documents are needed, and you decide the review.</p>
    <button name="decision" value="approve">Approve</button>
    <button name="decision" value="reject" class="second">Reject</button>
  </form>`;
}

function result(answer: ReviewAnswer, delivered: boolean): string {
  const result = delivered
    ? 'The service has the result. You may close this window.'
    : 'The service has not taken the call yet.';
  return `
  <h1>${answer === 'GREEN' ? 'Verification approved' : 'Verification rejected'}</h1>
  <p role="status">${result}</p>`;
}

const GONE = `
  <h1>This link is no longer valid</h1>
  <p>Please ask for a new one.</p>`;
