import { FORGOTTEN_PAGE } from '#features/accounts/security-notices/security-notices.ts';
import { usesSandbox } from '#kernel/config/config.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import { escapeHtml, type Page, page } from '#kernel/http/pages/pages.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { DEMO } from '#src/app/seed.ts';

/**
 * Where welcome mails lead. People log in in their organisation's application: this page leads there
 * where `LOGIN_URL` says where that is, and says so otherwise. In development it logs in itself.
 */
export const loginPage = ({ config, publicUrl }: Pick<Kernel, 'config' | 'publicUrl'>): Page => ({
  path: '/login',
  render: () => page(200, 'Log in', bodyOf(config, `${publicUrl()}${API_PREFIX}`)),
});

function bodyOf(config: Kernel['config'], api: string): string {
  if (config.LOGIN_URL !== undefined)
    return `<p>You log in at your organisation's application.</p>
<p><a class="button" href="${escapeHtml(config.LOGIN_URL)}">Go there</a></p>
${FORGOTTEN}`;
  return usesSandbox(config) ? developersForm(api) : ELSEWHERE;
}

const FORGOTTEN = `<p><a href="${FORGOTTEN_PAGE}">Forgotten your password?</a></p>`;

const ELSEWHERE = `<p>You log in in the application of your organisation: open it, and enter the user
name or e-mail address and the password of your welcome message there.</p>
<p>This address is the service behind it, and has no log-in of its own. If you do not know where the
application is, ask whoever invited you.</p>
${FORGOTTEN}`;

const developersForm = (api: string): string => `<p>People log in in the application that you build
with Archipay. Until there is one, this page gets you a token, with the demo's API key.</p>
<form data-json data-key="${DEMO.apiKey}" action="${API_PREFIX}/auth/login" method="post">
<label for="usernameoremail">E-mail or user name</label>
<input id="usernameoremail" name="usernameoremail" autocomplete="username" maxlength="254" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required>
<button>Log in</button>
<p role="status"></p>
<pre tabindex="0" hidden data-shows="${escapeHtml(nextStep(api))}"></pre>
</form>
${FORGOTTEN}
<p class="soft">Applications call <code>POST ${API_PREFIX}/auth/login</code>: see the
<a href="/docs">reference</a>.</p>`;

const nextStep = (api: string): string => `curl -s ${api}/sessions \\
  -H 'x-api-key: ${DEMO.apiKey}' \\
  -H 'authorization: Bearer {}'`;
