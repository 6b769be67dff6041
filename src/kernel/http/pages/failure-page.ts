import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { AppError } from '#kernel/error.ts';
import { GUIDES } from '#kernel/http/declare/error-guide.ts';
import type { Html } from '#kernel/http/declare/html.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import { escapeHtml, page } from './pages.ts';

/** Whether an endpoint answers with a page: then its failures are pages, too. */
export const showsPage = ({ endpoint }: Route): boolean =>
  Object.values<TSchema & { contentMediaType?: string }>(endpoint.reply).some(
    ({ contentMediaType }) => contentMediaType === 'text/html',
  );

/** Whether a person looks at the answer: in the API they are all for programs. */
export const isForPeople = ({ url, headers }: FastifyRequest, apiPaths: string): boolean =>
  !url.startsWith(apiPaths) && String(headers.accept ?? '').includes('text/html');

/** A failure for a person, with what to name when they ask for help. */
export function failurePage(known: AppError, requestId: string): Html {
  const { status, code, hint } = known;
  const { title, said } = wordsOf(known);
  return page(
    status,
    title,
    `<p>${escapeHtml(said)}</p>
<p class="soft">${escapeHtml(hint ?? GUIDES[code].cure)}</p>
<p class="soft">${code} · Request <code>${escapeHtml(requestId)}</code></p>
<p><a href="/">Start page</a></p>`,
  );
}

function wordsOf({ status, message }: AppError): { title: string; said: string } {
  if (status === 404)
    return {
      title: 'There is no such page',
      said: 'If a link led you here, open it again from where you got it: a part of it may be missing.',
    };
  const title = status === 429 ? 'One moment, please' : 'Something went wrong';
  return { title, said: `${message}.` };
}
