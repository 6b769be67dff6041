import type { FastifyInstance } from 'fastify';
import { Html } from '#kernel/http/declare/html.ts';
import { type PageLanguage, pageLanguage } from './language.ts';
import { LIVE_SCRIPT } from './live-script.ts';
import { PAGE_ICON, PAGE_STYLE } from './page-style.ts';

/** A page for a person, outside the API: `/reset-password`. */
export interface Page {
  readonly path: `/${string}`;
  /** For programs instead of a person, at an address that a standard names. */
  readonly type?: 'application/json';
  render(query: Readonly<Record<string, string>>, language: PageLanguage): Promise<Html> | Html;
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** Escaped, and where an address or a name with underscores may go on in the next line. */
export const breakable = (text: string): string =>
  escapeHtml(text).replace(/(?<=[/_])(?=[^/_])/g, '<wbr>');

export interface PageOptions {
  /** Seconds after which it looks whether it has become another one, and shows that then. */
  readonly lookAgainS?: number;
  /** For what is to be looked up rather than filled in. */
  readonly wide?: boolean;
  readonly language?: PageLanguage;
  /** Whose page it is, instead of ours. */
  readonly brand?: PageBrand;
}

/** A tenant before people. */
interface PageBrand {
  readonly name: string;
  /** The address of a picture. */
  readonly logo?: string | undefined;
  /** Of buttons, `#rrggbb`; white text is readable on it. */
  readonly color?: string | undefined;
  /** The origins whose pages may show it in a frame. */
  readonly frames?: readonly string[];
}

/** By night a dark colour cannot be read on its ground: there it only fills buttons. */
const styleOf = (color: string | undefined): string =>
  color === undefined
    ? ''
    : `:root { --accent: ${color}; --on: #fff; }
@media (prefers-color-scheme: dark) { :root { --accent: var(--ink); } }
button:not(.second), .button { background: ${color}; border-color: ${color}; }
@media (prefers-color-scheme: dark) { button:not(.second), .button { border-color: var(--line); } }`;

const brandOf = ({ name, logo }: PageBrand): string =>
  logo === undefined
    ? `<p class="brand">${escapeHtml(name)}</p>`
    : `<p class="brand"><img src="${escapeHtml(logo)}" alt="" height="40">${escapeHtml(name)}</p>`;

const OURS: PageBrand = { name: 'Archipay' };

/** A whole page of ours. `body` is HTML; what came from outside must be escaped already. Without a heading it has its own. */
export function page(
  status: number,
  title: string,
  body: string,
  { lookAgainS, wide = false, language = 'en', brand = OURS }: PageOptions = {},
): Html {
  const style = styleOf(brand.color);
  const heading = body.includes('<h1') ? '' : `<h1>${escapeHtml(title)}</h1>\n`;
  return new Html(
    status,
    `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ${escapeHtml(brand.name)}</title>
${PAGE_ICON}
<link rel="stylesheet" href="/pages/page.css">${style && `\n<style>${style}</style>`}
</head>
<body>
<main${wide ? ' class="wide"' : ''}${lookAgainS === undefined ? '' : ` data-look-again="${lookAgainS}"`}>
${brandOf(brand)}
${heading}${body}
</main>
<script src="/pages/page.js" defer></script>
</body>
</html>
`,
    brand === OURS ? {} : { frames: brand.frames ?? [], style },
  );
}

/** Sends a form's fields as JSON to its action and shows what came back. */
const SCRIPT = `
for (const form of document.querySelectorAll('form[data-json]')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const status = form.querySelector('[role=status]');
    const buttons = form.querySelectorAll('button');
    // Before they are disabled: the button that was pressed belongs to what is sent.
    const fields = Object.fromEntries(new FormData(form, event.submitter));
    for (const box of form.querySelectorAll('input[type=checkbox]')) fields[box.name] = box.checked;
    for (const button of buttons) button.disabled = true;
    form.classList.remove('failed');
    status.textContent = 'One moment…';
    try {
      const reply = await fetch(form.action, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(form.dataset.key && { 'x-api-key': form.dataset.key }),
        },
        body: JSON.stringify(fields),
      });
      const body = await reply.json();
      const shown = form.querySelector('[data-shows]');
      if (shown && reply.ok) {
        shown.textContent = shown.dataset.shows.replace('{}', body.data?.token ?? '');
        shown.hidden = false;
      }
      status.textContent = body.message ?? body.error ?? 'Something went wrong';
      form.classList.toggle('failed', !reply.ok);
      if (reply.ok) {
        form.classList.add('done');
        for (const next of form.querySelectorAll('[data-next]')) next.hidden = false;
      }
      for (const button of buttons) button.disabled = reply.ok;
    } catch {
      form.classList.add('failed');
      status.textContent = 'The service could not be reached. Please try again.';
      for (const button of buttons) button.disabled = false;
    }
  });
}
`;

/** Reloads the page until it has changed; retries while the service cannot be reached. */
const LOOKING = `
const main = document.querySelector('main[data-look-again]');
if (main) {
  const lookAgain = async () => {
    try {
      const reply = await fetch(location.href, { cache: 'no-store' });
      const next = new DOMParser().parseFromString(await reply.text(), 'text/html').querySelector('main');
      if (reply.ok && next && !('lookAgain' in next.dataset)) {
        main.replaceChildren(...next.childNodes);
        document.title = main.querySelector('h1').textContent + ' · Archipay';
        return;
      }
    } catch {}
    setTimeout(lookAgain, main.dataset.lookAgain * 1000);
  };
  setTimeout(lookAgain, main.dataset.lookAgain * 1000);
}
`;

export function mountPages(server: FastifyInstance, pages: readonly Page[]): void {
  server.get('/pages/page.css', async (_request, reply) => reply.type('text/css').send(PAGE_STYLE));
  server.get('/pages/page.js', async (_request, reply) =>
    reply.type('text/javascript').send(SCRIPT + LOOKING + LIVE_SCRIPT),
  );
  for (const { path, render, type = 'text/html; charset=utf-8' } of pages)
    server.get(path, { config: { isPage: true } }, async (request, reply) => {
      const query = Object.fromEntries(
        Object.entries(request.query as object).filter(
          (entry): entry is [string, string] => typeof entry[1] === 'string',
        ),
      );
      const language = pageLanguage(query['lang'], request.headers['accept-language']);
      const { status, text } = await render(query, language);
      reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
      return reply.code(status).type(type).send(text);
    });
}
