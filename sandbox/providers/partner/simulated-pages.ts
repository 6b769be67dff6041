import type { FastifyInstance, FastifyReply } from 'fastify';
import { scope } from '#kernel/http/declare/scope.ts';
import { escapeHtml } from '#kernel/http/pages/pages.ts';
import { showPage, takeForms } from '#sandbox/hosted-page.ts';
import type { World } from '#sandbox/simulator.ts';
import { changeCustomer, customerOfLinkId, type StoredCustomer } from './simulated-customers.ts';

interface ByLink {
  Params: { link: string };
}

/** The two pages that a person is sent to: the terms, and the checks, where the person plays the reviewer. */
export function partnerPages(server: FastifyInstance, world: World): void {
  scope(server, 'partner pages', (pages) => {
    takeForms(pages);

    pages.get<ByLink>('/partner/terms/:link', async ({ params }, reply) => {
      const customer = await customerOfLinkId(world, params.link);
      return customer ? show(reply, 200, terms(customer)) : show(reply, 404, GONE);
    });
    pages.post<ByLink>('/partner/terms/:link', async ({ params }, reply) => {
      const customer = await customerOfLinkId(world, params.link);
      if (!customer) return show(reply, 404, GONE);
      await changeCustomer(world, customer.id, { tos_status: 'approved' });
      return show(reply, 200, done('The terms are accepted'));
    });

    pages.get<ByLink>('/partner/kyc/:link', async ({ params }, reply) => {
      const customer = await customerOfLinkId(world, params.link);
      return customer ? show(reply, 200, checks(customer)) : show(reply, 404, GONE);
    });
    pages.post<ByLink>('/partner/kyc/:link', async ({ params, body }, reply) => {
      const customer = await customerOfLinkId(world, params.link);
      if (!customer) return show(reply, 404, GONE);
      const { decision = '' } = (body ?? {}) as { decision?: string };
      const kyc_status = DECISIONS.get(decision);
      if (kyc_status === undefined) return show(reply, 400, checks(customer));
      await changeCustomer(world, customer.id, { kyc_status });
      return show(reply, 200, done(`The checks are over: ${kyc_status}`));
    });
  });
}

const DECISIONS = new Map([
  ['approve', 'approved'],
  ['review', 'under_review'],
  ['reject', 'rejected'],
] as const as readonly (readonly [string, 'approved' | 'under_review' | 'rejected'])[]);

const show = (reply: FastifyReply, status: number, content: string) =>
  showPage(reply, status, 'Partner', content);

const terms = ({ full_name }: StoredCustomer): string => `
  <h1>Terms of service</h1>
  <p>${escapeHtml(full_name)}, please accept the partner's terms. This is the sandbox: they are empty.</p>
  <form method="post"><button>Accept</button></form>`;

const checks = ({ full_name }: StoredCustomer): string => `
  <h1>Verify your identity</h1>
  <p>${escapeHtml(full_name)}, no documents are needed in the sandbox: you decide the review.</p>
  <form method="post">
    <button name="decision" value="approve">Approve</button>
    <button name="decision" value="review" class="second">Leave it to a reviewer</button>
    <button name="decision" value="reject" class="second">Reject</button>
  </form>`;

const done = (text: string): string => `
  <h1>${text}</h1>
  <p role="status">You may close this window.</p>`;

const GONE = `
  <h1>This link is no longer valid</h1>
  <p>Please ask for a new one.</p>`;
