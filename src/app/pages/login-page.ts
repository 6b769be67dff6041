import { FORGOTTEN_PAGE } from '#features/accounts/security-notices/security-notices.ts';
import { usesSandbox } from '#kernel/config/config.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import type { PageLanguage } from '#kernel/http/pages/language.ts';
import { escapeHtml, type Page, page } from '#kernel/http/pages/pages.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { DEMO } from '#src/app/seed.ts';
import { LOGIN_TEXTS } from './login-texts.ts';

/**
 * Where welcome mails lead. People log in in their organisation's application: this page leads there
 * where `LOGIN_URL` says where that is, and says so otherwise. In development it logs in itself.
 */
export const loginPage = ({ config, publicUrl }: Pick<Kernel, 'config' | 'publicUrl'>): Page => ({
  path: '/login',
  render: (_query, language) => {
    const body = bodyOf(config, `${publicUrl()}${API_PREFIX}`, language);
    return page(200, LOGIN_TEXTS[language].title, body, { language });
  },
});

function bodyOf(config: Kernel['config'], api: string, language: PageLanguage): string {
  const { atOrganisation, elsewhere, forgotten } = LOGIN_TEXTS[language];
  const reset = `<p><a href="${FORGOTTEN_PAGE}">${forgotten}</a></p>`;
  if (config.LOGIN_URL !== undefined)
    return `<p>${atOrganisation[0]}</p>
<p><a class="button" href="${escapeHtml(config.LOGIN_URL)}">${atOrganisation[1]}</a></p>
${reset}`;
  if (usesSandbox(config)) return developersForm(api, reset);
  return [...elsewhere.map((text) => `<p>${text}</p>`), reset].join('\n');
}

const developersForm = (
  api: string,
  reset: string,
): string => `<p>People log in in the application that you build
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
${reset}
<p class="soft">Applications call <code>POST ${API_PREFIX}/auth/login</code>: see the
<a href="/docs">reference</a>.</p>`;

const nextStep = (api: string): string => `curl -s ${api}/sessions \\
  -H 'x-api-key: ${DEMO.apiKey}' \\
  -H 'authorization: Bearer {}'`;
