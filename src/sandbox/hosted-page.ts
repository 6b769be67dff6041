import type { FastifyInstance, FastifyReply } from 'fastify';

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
}

/** A page that a simulated provider shows a person: HTML without script, which nobody can frame. */
export const showPage = (reply: FastifyReply, status: number, title: string, content: string) =>
  show(reply, status, { title, content });

/** The same of a page whose form may lead elsewhere. */
export function show(reply: FastifyReply, status: number, shown: Shown) {
  const { title, content, formsLeadTo = "'self'" } = shown;
  return (
    reply
      .code(status)
      .header('content-security-policy', policyOf(formsLeadTo))
      .header('x-content-type-options', 'nosniff')
      // Without any the browser would not say whose page its form is, and the sandbox takes only its own.
      .header('referrer-policy', 'same-origin')
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page(title, content))
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML shows it, in content and in attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} (sandbox)</title>
<link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; }
  body { margin: 10vh auto; max-width: 26rem; padding: 0 1.25rem; }
  body { font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
  h1 { font-size: 1.4rem; }
  label { display: block; margin-bottom: .25rem; }
  input, textarea { width: 100%; box-sizing: border-box; }
  input, textarea, button { font: inherit; padding: .5rem .75rem; }
  input, textarea, button { border: 1px solid #8888; border-radius: .4rem; }
  input[type=radio] { width: auto; }
  fieldset { border: 1px solid #8888; border-radius: .4rem; }
  button { cursor: pointer; background: #0a7d6c; border-color: #0a7d6c; color: #fff; }
  button.plain { background: transparent; border-color: #8888; color: inherit; }
  dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .25rem 1rem; }
  dt { opacity: .7; }
  dd { margin: 0; }
  img { display: block; max-width: 100%; margin: 1rem auto; border-radius: .4rem; }
  .soft { opacity: .7; font-size: .9rem; }
  .big { font-size: 1.2rem; font-variant-numeric: tabular-nums; }
  [role=alert] { color: #c33; }
</style>
</head>
<body>
<main>${content}
</main>
</body>
</html>
`;
