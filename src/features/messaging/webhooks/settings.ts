import type { Config } from '#kernel/config/config.ts';
import { fail, wrongField } from '#kernel/error.ts';
import type { Catalogue } from '#kernel/events/catalogue.ts';
import type { Outbound, OutboundOptions } from '#kernel/outbound/outbound.ts';
import { BLOCKED } from '#kernel/outbound/target.ts';

/** Addresses that may be called: in production only public ones, by TLS. */
export const webhookRules = ({
  WEBHOOK_PRIVATE,
  WEBHOOK_PROXY: proxy,
}: Pick<Config, 'WEBHOOK_PRIVATE' | 'WEBHOOK_PROXY'>): OutboundOptions =>
  WEBHOOK_PRIVATE === 'allow'
    ? { plainHttp: true, ports: 'any', loopback: true, allowed: () => [], proxy }
    : { plainHttp: false, ports: [443, 8443], loopback: false, allowed: () => [], proxy };

/** Throws VALIDATION_ERROR for an address that we never call. */
export function checkUrl(outbound: Outbound, url: string): void {
  const why = outbound.refusal(url);
  if (why !== undefined) throw wrongField('url', BLOCKED[why]);
}

/** Throws VALIDATION_ERROR where a filter matches no type of event. */
export function checkTypes(catalogue: Catalogue, types: readonly string[]): void {
  const unknown = types.filter((filter) => catalogue.match(filter).length === 0);
  if (unknown.length > 0)
    throw fail(
      'VALIDATION_ERROR',
      `There is no type of event ${unknown[0]}: see GET /event-types`,
      {
        details: { unknown },
      },
    );
}

const HEADERS_MAX = 10;
/** Headers that we set, and those of the connection. */
const RESERVED =
  /^(webhook-|content-|accept|host$|user-agent$|connection$|keep-alive$|transfer-encoding$|te$|trailer$|upgrade$|expect$|proxy-|cookie$)/i;
const VALUE = /^[\x20-\x7e]*$/;

/** Throws VALIDATION_ERROR for headers that an owner may not set. */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  const names = Object.keys(headers);
  if (names.length > HEADERS_MAX) throw wrongField('headers', `may be ${HEADERS_MAX} at the most`);
  const reserved = names.find((name) => RESERVED.test(name));
  if (reserved !== undefined) throw wrongField('headers', `must not have ${reserved}`);
  const odd = names.find((name) => !VALUE.test(headers[name] ?? ''));
  if (odd !== undefined) throw wrongField(`headers.${odd}`, 'must be printable ASCII on one line');
}
