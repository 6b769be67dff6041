import { TextDecoder } from 'node:util';
import { fail, wrongField } from '#kernel/error.ts';
import type { OutboundReply } from '#kernel/outbound/outbound.ts';
import { BLOCKED } from '#kernel/outbound/target.ts';
import type { PurchaseDeps } from './deps.ts';
import { type PageProduct, readPage } from './page.ts';

const MIB = 1024 * 1024;
/** What is larger takes others' requests too long to walk through. */
const LIMITS = { totalMs: 10_000, wireMax: 2 * MIB, plainMax: 2 * MIB };
const HTML = /^(text\/html|application\/xhtml\+xml)\b/i;

/**
 * Fetches a shop's page and reads the product off it. VALIDATION_ERROR for an address that is none, or
 * that must not be called; PAGE_UNREADABLE for whatever the page is to blame for.
 */
export async function fetchProduct(
  pages: PurchaseDeps['pages'],
  url: string,
  limits = LIMITS,
): Promise<PageProduct> {
  const answer = await pages.get({ name: 'shop page', url, accept: 'text/html', limits });
  if (answer.kind === 'blocked')
    throw wrongField('url', BLOCKED[answer.why], { said: 'Invalid URL' });
  if (answer.kind === 'lost')
    throw unreadable(`The page did not answer (${answer.cause})`, RETRY_S);
  const product = readPage(textOf(answer), answer.url);
  if (!product) throw unreadable('There is no product on the page');
  return product;
}

const RETRY_S = 5;

/** With a time to wait where the page may answer then. */
const unreadable = (details: string, retryAfter?: number) =>
  fail('PAGE_UNREADABLE', 'The product page could not be read', {
    details,
    ...(retryAfter !== undefined && { retryAfter }),
  });

function textOf({ status, headers, bytes, cut }: OutboundReply): string {
  const type = String(headers['content-type'] ?? '');
  if (status !== 200) throw unreadable(`The page answered with status ${status}`);
  if (cut) throw unreadable('The page is too large');
  if (!HTML.test(type)) throw unreadable('The page is not HTML');
  return decoderOf(type).decode(bytes);
}

/** As the page's server says; what is unknown is read as UTF-8, in which nothing fails. */
function decoderOf(type: string): TextDecoder {
  const [, charset = 'utf-8'] = /charset="?([\w-]{1,40})/i.exec(type) ?? [];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
