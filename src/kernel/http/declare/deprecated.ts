import type { onRequestHookHandler } from 'fastify';
import type { Deprecated } from './route.ts';

/** Says with every answer that the endpoint is on its way out: `Deprecation` (RFC 9745), `Sunset` (RFC 8594). */
export function announcing({ since, sunset }: Deprecated): onRequestHookHandler {
  const headers = {
    deprecation: `@${Date.parse(since) / 1000}`,
    ...(sunset !== undefined && { sunset: new Date(sunset).toUTCString() }),
  };
  return (_request, reply, done) => {
    reply.headers(headers);
    done();
  };
}

const DAY_MS = 86_400_000;
/** An endpoint stays for so long after it was said that it will go. */
const NOTICE_DAYS = 180;

/** What is wrong with an announcement, by the policy; nothing where it keeps it. */
export function faultOfNotice({ since, sunset, instead }: Deprecated): string | undefined {
  const [from, end] = [Date.parse(since), sunset === undefined ? undefined : Date.parse(sunset)];
  if (Number.isNaN(from) || Number.isNaN(end ?? 0)) return 'its days are none';
  if (end !== undefined && end - from < NOTICE_DAYS * DAY_MS)
    return `it may not go before ${NOTICE_DAYS} days have passed`;
  return instead.trim() === '' ? 'it says nothing of what to use instead' : undefined;
}
