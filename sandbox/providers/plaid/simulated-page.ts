import type { FastifyInstance, FastifyReply } from 'fastify';
import { scope } from '#kernel/http/declare/scope.ts';
import { escapeHtml } from '#kernel/http/pages/pages.ts';
import { show as showPage, takeForms } from '#sandbox/hosted-page.ts';
import type { World } from '#sandbox/simulator.ts';
import { type Finished, findLink, finishLink, INSTITUTIONS, type Link } from './simulated-items.ts';

interface ByToken {
  Params: { token: string };
}

/** The page that a link token opens: a person chooses a bank and an account, and gets the public token. */
export function linkPage(server: FastifyInstance, world: World): void {
  scope(server, 'link pages', (pages) => {
    takeForms(pages);

    pages.get<ByToken>('/banklink/link/:token', async ({ params }, reply) => {
      const link = await findLink(world, params.token);
      return link ? show(reply, 200, form()) : show(reply, 404, GONE);
    });

    pages.post<ByToken>('/banklink/link/:token', async ({ params, body }, reply) => {
      const link = await findLink(world, params.token);
      if (!link) return show(reply, 404, GONE);
      const { institution = '', account = '' } = (body ?? {}) as Record<string, string>;
      const finished = ACCOUNTS.some(([subtype]) => subtype === account)
        ? await finishLink(world, { institution_id: institution, subtype: account })
        : undefined;
      if (!finished) return show(reply, 400, form('Please choose a bank and an account.'));
      const back = returnTo(link, finished);
      return back ? reply.redirect(back, 303) : show(reply, 200, result(finished));
    });
  });
}

const ACCOUNTS = [
  ['checking', 'Plaid Checking ••0000'],
  ['savings', 'Plaid Saving ••1111'],
] as const;

/** Where the app that opened it wants the person back, with what they have brought. */
function returnTo({ redirect_uri }: Link, { public_token }: Finished): string | undefined {
  const back = redirect_uri === null ? null : URL.parse(redirect_uri);
  if (!back || !/^https?:$/.test(back.protocol)) return undefined;
  back.searchParams.set('public_token', public_token);
  return back.href;
}

const TITLE = 'Link a bank account';
/** Once it is done, back to the app that has opened it, wherever that is. */
const ANYWHERE = "'self' http: https:";

const show = (reply: FastifyReply, status: number, content: string) =>
  showPage(reply, status, { title: TITLE, content, formsLeadTo: ANYWHERE });

const form = (fault = ''): string => `
  <h1>Link your bank account</h1>
  ${fault === '' ? '' : `<p role="alert">${fault}</p>`}
  <form method="post">
    <fieldset>
      <legend>Your bank</legend>
      ${INSTITUTIONS.map(({ institution_id, name }, i) => choice('institution', institution_id, name, i)).join('')}
    </fieldset>
    <fieldset>
      <legend>Which account</legend>
      ${ACCOUNTS.map(([subtype, name], i) => choice('account', subtype, name, i)).join('')}
    </fieldset>
    <p class="soft">This is the sandbox: no bank is asked, and no password is needed.</p>
    <button>Link this account</button>
  </form>`;

const choice = (name: string, value: string, text: string, index: number): string =>
  `<label><input type="radio" name="${name}" value="${value}"${index === 0 ? ' checked' : ''}> ${text}</label>`;

const result = ({ public_token, metadata }: Finished): string => `
  <h1>Your account is ready to be linked</h1>
  <p role="status">Give this token to the app that sent you here. It is good for 30 minutes, once.</p>
  <p><label for="public-token">Public token</label>
  <input id="public-token" readonly value="${escapeHtml(public_token)}"></p>
  <p><label for="metadata">Metadata</label>
  <textarea id="metadata" readonly rows="6">${escapeHtml(JSON.stringify(metadata))}</textarea></p>`;

const GONE = `
  <h1>This link is no longer valid</h1>
  <p>Please ask for a new one.</p>`;
