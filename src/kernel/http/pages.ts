import type { FastifyInstance } from 'fastify';
import { Html } from './route.ts';

/** A page for a person, outside the API: `/reset-password`. */
export interface Page {
  readonly path: `/${string}`;
  render(query: Readonly<Record<string, string>>): Promise<Html> | Html;
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

export interface PageOptions {
  /** Seconds after which it looks whether it has become another one, and shows that then. */
  readonly lookAgainS?: number;
}

/** A whole page of ours. `body` is HTML; what came from outside must be escaped already. */
export const page = (
  status: number,
  title: string,
  body: string,
  { lookAgainS }: PageOptions = {},
): Html =>
  new Html(
    status,
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Archipay</title>
<link rel="stylesheet" href="/pages/page.css">
</head>
<body>
<main${lookAgainS === undefined ? '' : ` data-look-again="${lookAgainS}"`}>
<p class="brand">Archipay</p>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
<script src="/pages/page.js" defer></script>
</body>
</html>
`,
  );

const STYLE = `
:root { color-scheme: light dark; --ink: #16202c; --paper: #f4f6f8; --card: #fff; --accent: #0b6e4f; --on: #fff; --soft: #566371; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8edf2; --paper: #10161d; --card: #19222c; --accent: #39b88a; --on: #06281c; --soft: #a3b1bf; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem;
  font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
main { width: 100%; max-width: 26rem; padding: 2rem; border-radius: 12px; background: var(--card);
  box-shadow: 0 1px 3px #0003; }
.brand { margin: 0; font-weight: 700; letter-spacing: .04em; color: var(--accent); }
h1 { margin: .25rem 0 1rem; font-size: 1.4rem; overflow-wrap: anywhere; }
h2 { margin: 1.25rem 0 .25rem; font-size: 1rem; }
main { min-width: 0; overflow-wrap: anywhere; }
a { color: var(--accent); }
code, pre { font: .85rem/1.5 ui-monospace, monospace; }
pre { padding: .75rem; overflow-x: auto; border-radius: 8px; background: var(--paper); }
dl { margin: 0; }
dt { margin-top: .75rem; font-weight: 600; }
dd { margin: 0; }
.codes { padding: 0; list-style: none; }
.codes li { display: flex; justify-content: space-between; gap: 1rem; }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600; }
input { width: 100%; padding: .6rem .75rem; font: inherit; border: 1px solid #8a97a5; border-radius: 8px; }
input[type=checkbox] { width: auto; }
button, .button { margin-top: 1.25rem; width: 100%; padding: .7rem; font: inherit; font-weight: 600; color: var(--on);
  background: var(--accent); border: 0; border-radius: 8px; cursor: pointer; }
.button { display: block; text-align: center; text-decoration: none; }
button:disabled { opacity: .6; cursor: default; }
[role=status] { margin-top: 1rem; min-height: 1.5em; }
main { overflow-wrap: anywhere; }
a { color: var(--accent); }
dl { margin: 1rem 0; }
dt { font-size: .875rem; color: var(--soft); }
dd { margin: 0 0 .6rem; }
code { font: .875rem/1.4 ui-monospace, monospace; }
.soft { font-size: .875rem; color: var(--soft); }
.code { display: block; max-width: 100%; height: auto; margin: 1rem auto; border-radius: 8px; }
`;

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
      if (reply.ok) form.classList.add('done');
      for (const button of buttons) button.disabled = reply.ok;
    } catch {
      status.textContent = 'The service could not be reached. Please try again.';
      for (const button of buttons) button.disabled = false;
    }
  });
}
`;

/** Asks for the page anew until it is another one; what cannot be reached is asked again. */
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
  server.get('/pages/page.css', async (_request, reply) => reply.type('text/css').send(STYLE));
  server.get('/pages/page.js', async (_request, reply) =>
    reply.type('text/javascript').send(SCRIPT + LOOKING),
  );
  for (const { path, render } of pages)
    server.get(path, async (request, reply) => {
      const query = Object.fromEntries(
        Object.entries(request.query as object).filter(
          (entry): entry is [string, string] => typeof entry[1] === 'string',
        ),
      );
      const { status, text } = await render(query);
      reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
      return reply.code(status).type('text/html; charset=utf-8').send(text);
    });
}
