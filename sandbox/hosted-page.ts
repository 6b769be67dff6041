import type { FastifyInstance, FastifyReply } from 'fastify';
import { PAGE_ICON, PAGE_STYLE } from '#kernel/http/pages/page-style.ts';
import { escapeHtml } from '#kernel/http/pages/pages.ts';

const FORM = 'application/x-www-form-urlencoded';
const policyOf = (formsLeadTo: string): string =>
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; " +
  `form-action ${formsLeadTo}; base-uri 'none'; frame-ancestors 'none'`;

/** Lets pages below post their forms; other bodies stay as they are. */
export function takeForms(pages: FastifyInstance): void {
  pages.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, parsed) =>
    parsed(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}

export interface Shown {
  readonly title: string;
  readonly content: string;
  /** Where a form may lead, redirects included, in the words of a policy; unless it says so, nowhere else. */
  readonly formsLeadTo?: string;
  /** For what is to be looked up rather than filled in. */
  readonly wide?: boolean;
}

/** A page that a simulated provider shows a person: HTML without script, which cannot be framed. */
export const showPage = (reply: FastifyReply, status: number, title: string, content: string) =>
  show(reply, status, { title, content });

/** The same of a page whose form may lead elsewhere. */
export function show(reply: FastifyReply, status: number, shown: Shown) {
  const { formsLeadTo = "'self'" } = shown;
  return (
    reply
      .code(status)
      .header('content-security-policy', policyOf(formsLeadTo))
      .header('x-content-type-options', 'nosniff')
      // Without any the browser would not say whose page its form is, and the sandbox takes only its own.
      .header('referrer-policy', 'same-origin')
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page(shown))
  );
}

const page = ({ title, content, wide = false }: Shown): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} (sandbox)</title>
${PAGE_ICON}
<style>${PAGE_STYLE}</style>
</head>
<body>
<main${wide ? ' class="wide"' : ''}>
<p class="brand">Sandbox</p>${content}
</main>
</body>
</html>
`;
