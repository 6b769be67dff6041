import { TextDecoder } from 'node:util';
import { createOutbound, type OutboundReply } from '#kernel/outbound/outbound.ts';
import { BLOCKED, type OutboundRules } from '#kernel/outbound/target.ts';
import { done, type Outcome, refused, unknown } from '#kernel/provider-call.ts';
import type { ShopPages } from './port.ts';
import { readPage } from './product-page.ts';

const MIB = 1024 * 1024;
/** A larger page would take other requests too long to walk through. */
const BYTES_MAX = 2 * MIB;
const TOTAL_MS = 10_000;
const WEB_PORTS = [80, 443, 8443];
const HTML = /^(text\/html|application\/xhtml\+xml)\b/i;

export interface ShopPagesSettings extends Pick<OutboundRules, 'plainHttp' | 'allowed'> {
  /** Of one page with its redirects. */
  readonly totalMs?: number;
}

/** Any shop of the public web, and the addresses in `allowed`. */
export function shopPages({ totalMs = TOTAL_MS, ...rules }: ShopPagesSettings): ShopPages {
  const outbound = createOutbound({ ...rules, ports: WEB_PORTS, loopback: false });
  const limits = { totalMs, wireMax: BYTES_MAX, plainMax: BYTES_MAX };
  return {
    async read(url) {
      const answer = await outbound.get({ name: 'shop page', url, accept: 'text/html', limits });
      if (answer.kind === 'blocked') return refused('INVALID_URL', BLOCKED[answer.why]);
      if (answer.kind === 'lost') return unknown(answer.cause);
      const html = textOf(answer);
      if (html.kind !== 'done') return html;
      const product = readPage(html.value, answer.url);
      return product ? done(product) : unreadable('There is no product on the page');
    },
    close: () => outbound.close(),
  };
}

const unreadable = (message: string) => refused('PAGE_UNREADABLE', message);

function textOf({ status, headers, bytes, cut }: OutboundReply): Outcome<string> {
  const type = String(headers['content-type'] ?? '');
  if (status !== 200) return unreadable(`The page answered with status ${status}`);
  if (cut) return unreadable('The page is too large');
  if (!HTML.test(type)) return unreadable('The page is not HTML');
  return done(decoderOf(type).decode(bytes));
}

/** For the charset that the page's server names; for an unknown one UTF-8, in which nothing fails. */
function decoderOf(type: string): TextDecoder {
  const [, charset = 'utf-8'] = /charset="?([\w-]{1,40})/i.exec(type) ?? [];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
