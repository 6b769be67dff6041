import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { HtmlOptions } from './html.ts';

/**
 * What helmet sends, asked once: it would compute the same headers for each answer, which
 * costs a request as much as everything else before its handler.
 */
function askHelmet(options: Parameters<typeof helmet>[0]): Readonly<Record<string, string>> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet(options)(request, response, () => undefined);
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
}

/** Our pages need their own script, their styles and the API, nothing from anywhere else. */
export const PAGE_HEADERS = askHelmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
  },
});

/**
 * Those that mean something for JSON: nothing in it may be loaded, framed, taken for another type or
 * kept on its way (OWASP: REST security).
 */
const { 'strict-transport-security': transport = '', 'x-content-type-options': sniffing = '' } =
  PAGE_HEADERS;
export const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'strict-transport-security': transport,
  'x-content-type-options': sniffing,
};

/** What an endpoint shows to a person. */
export const SHOWN_HEADERS = { ...ANSWER_HEADERS, ...PAGE_HEADERS };

const { 'x-frame-options': _frameless, ...FRAMED_HEADERS } = SHOWN_HEADERS as Record<
  string,
  string
>;

/** The same of a page that others may frame, or that has a style of its own: known by its hash, and nothing else is. */
export function headersOfPage({ frames = [], style = '' }: HtmlOptions): Record<string, string> {
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = (PAGE_HEADERS['content-security-policy'] ?? '')
    .replace("style-src 'self' 'unsafe-inline'", `style-src 'self' 'sha256-${hash}'`)
    .replace("frame-ancestors 'none'", `frame-ancestors ${frames.join(' ') || "'none'"}`);
  const headers = frames.length === 0 ? SHOWN_HEADERS : FRAMED_HEADERS;
  return { ...headers, 'content-security-policy': policy };
}
