import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import type { PageLanguage } from '#kernel/http/pages/language.ts';
import { escapeHtml, type Page, page } from '#kernel/http/pages/pages.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { openInvitation } from './accept.ts';
import { JOIN_PAGE } from './invite.ts';
import { MEMBER_PASSWORD_MIN } from './password-rule.ts';
import { ROLE_WORDS } from './texts.ts';

/** The texts of the page; `team` and `email` are escaped. */
const TEXTS = {
  en: {
    none: 'This invitation does not work any more',
    over: 'Invitations work once, within 72 hours. Ask an owner of the team for another one.',
    title: 'Join the team',
    invited: (team: string, role: string) => `You are invited to the team of ${team}, as ${role}.`,
    address: (email: string) => `You will log in with ${email}.`,
    name: 'Your name',
    password: 'Password',
    rule: `At least ${MEMBER_PASSWORD_MIN} characters. A few words that only you would put together are good.`,
    join: 'Join',
    logIn: 'Log in',
  },
  id: {
    none: 'Undangan ini tidak berlaku lagi',
    over: 'Undangan berlaku satu kali, dalam 72 jam. Mintalah undangan baru kepada pemilik tim.',
    title: 'Bergabung dengan tim',
    invited: (team: string, role: string) => `Anda diundang ke tim ${team}, sebagai ${role}.`,
    address: (email: string) => `Anda akan masuk dengan ${email}.`,
    name: 'Nama Anda',
    password: 'Kata sandi',
    rule: `Paling sedikit ${MEMBER_PASSWORD_MIN} karakter. Beberapa kata yang hanya Anda rangkai sudah baik.`,
    join: 'Bergabung',
    logIn: 'Masuk',
  },
} as const satisfies Record<PageLanguage, unknown>;

/** Behind the link of an invitation. To look changes nothing: scanners of mail open every link. */
export const joinPage = ({ db }: Pick<Kernel, 'db'>): Page => ({
  path: JOIN_PAGE,
  async render({ token = '' }, language) {
    const texts = TEXTS[language];
    const found = await openInvitation(db, token);
    if (!found) return page(400, texts.none, `<p>${texts.over}</p>`, { language });
    const { client_alias, email, team_role } = found;
    return page(
      200,
      texts.title,
      `<p>${texts.invited(escapeHtml(client_alias), ROLE_WORDS[language][team_role])}
${texts.address(escapeHtml(email))}</p>
<form data-json action="${API_PREFIX}/team/invitations/accept" method="post">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<input type="hidden" name="language" value="${language}">
<label for="username">${texts.name}</label>
<input id="username" name="username" autocomplete="name" maxlength="100" required autofocus>
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="new-password"
  minlength="${MEMBER_PASSWORD_MIN}" maxlength="1024" aria-describedby="rule" required>
<p class="soft" id="rule">${texts.rule}</p>
<button>${texts.join}</button>
<p role="status"></p>
<p data-next hidden><a class="button" href="/console">${texts.logIn}</a></p>
</form>`,
      { language },
    );
  },
});
