import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { marked } from 'marked';
import type { Html } from '#kernel/http/declare/html.ts';
import { escapeHtml, page } from '#kernel/http/pages/pages.ts';

const GUIDES = fileURLToPath(new URL('../../../docs/guides/', import.meta.url));
/** The address that the guides name; a reader sees this service's instead. */
const WRITTEN_FOR = /http:\/\/localhost:3000/g;
const PLACE = '/docs/guides';

/** The order in which a newcomer reads them; others follow by name. */
const FIRST = ['first-payment', 'webhooks', 'idempotency', 'test-mode', 'going-live', 'sign-up'];

/** A text for integrators, of `docs/guides/{name}.md`. */
interface Guide {
  readonly name: string;
  readonly title: string;
  /** Its first paragraph. */
  readonly summary: string;
  /** Markdown, with the addresses of this service. */
  readonly text: string;
}

/** The guides of `docs/guides`, first steps first. */
function readGuides(publicUrl: string): readonly Guide[] {
  const names = globSync('*.md', { cwd: GUIDES }).map((file) => basename(file, '.md'));
  const place = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return names
    .sort((a, b) => place(a) - place(b) || a.localeCompare(b))
    .map((name) => {
      const text = readFileSync(`${GUIDES}${name}.md`, 'utf8').replace(WRITTEN_FOR, publicUrl);
      const [, title = name, summary = ''] = /^# (.+)\n\n([\s\S]+?)\n\n/.exec(text) ?? [];
      return { name, title, summary: summary.replaceAll('\n', ' '), text };
    });
}

/** The guides as a section of `/llms.txt`. */
export const guidesSection = (publicUrl: string): string =>
  [
    '## Guides',
    readGuides(publicUrl)
      .map(
        ({ name, title, summary }) => `- [${title}](${publicUrl}${PLACE}/${name}.md): ${summary}`,
      )
      .join('\n'),
  ].join('\n\n');

/** `/docs/guides`, each guide at `/docs/guides/{name}` as a page, and at `/docs/guides/{name}.md` as it is written. */
export function mountGuides(server: FastifyInstance, publicUrl: () => string): void {
  let read: readonly Guide[] | undefined;
  const guides = () => {
    read ??= readGuides(publicUrl());
    return read;
  };
  const asPage = { config: { isPage: true } };
  server.get(PLACE, asPage, async (_request, reply) => show(reply, listOf(guides())));
  server.get<{ Params: { page: string } }>(`${PLACE}/:page`, asPage, async ({ params }, reply) => {
    const guide = guides().find(({ name }) => name === basename(params.page, '.md'));
    if (guide === undefined) return reply.callNotFound();
    if (params.page !== guide.name) {
      reply.header('cache-control', 'no-cache').type('text/markdown; charset=utf-8');
      return reply.send(guide.text);
    }
    return show(reply, pageOf(guide));
  });
}

function show(reply: FastifyReply, { status, text }: Html): FastifyReply {
  return reply
    .header('cache-control', 'no-cache')
    .code(status)
    .type('text/html; charset=utf-8')
    .send(text);
}

const listOf = (guides: readonly Guide[]): Html =>
  page(
    200,
    'Guides',
    [
      ...guides.map(
        ({ name, title, summary }) =>
          `<h2><a href="${PLACE}/${name}">${escapeHtml(title)}</a></h2>\n${htmlOf(summary)}`,
      ),
      '<p><a href="/docs">Reference</a> · <a href="/docs/errors">Error codes</a></p>',
    ].join('\n'),
    { wide: true },
  );

/** The page has its title already. */
const pageOf = ({ title, text }: Guide): Html =>
  page(
    200,
    title,
    `${htmlOf(text.replace(/^# .+\n/, ''))}
<p><a href="${PLACE}">All guides</a> · <a href="/docs">Reference</a></p>`,
    { wide: true },
  );

/** Links between the files are links between the pages. */
const htmlOf = (markdown: string): string =>
  marked
    .parse(markdown.replace(/\]\(([\w-]+)\.md\)/g, `](${PLACE}/$1)`), { async: false })
    .replaceAll('<pre>', '<pre tabindex="0">');
