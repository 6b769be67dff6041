import type { FastifyReply, FastifyRequest } from 'fastify';
import { wrongField } from '#kernel/error.ts';
import { carryAlways } from '#kernel/http/answer/ready-answer.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import { ANSWER_HEADERS } from '#kernel/http/declare/security-headers.ts';

/** The header by which a request names the version it was written for, and an answer the one it is of. */
export const VERSION_HEADER = 'archipay-version';

/** One version of the API, named by the day from which on it could be had. */
export interface ApiVersion {
  readonly version: string;
  /** What a caller of the one before has to change, each in a sentence; of the first what it is. */
  readonly changes: readonly string[];
  /** The day on which it may go, a year after the next one at the earliest. */
  readonly ends?: string;
}

/** All that are answered, the newest first. Nothing is one that only adds to what there was. */
export const API_VERSIONS: readonly ApiVersion[] = [
  { version: '2026-11-22', changes: ['The first version.'] },
];

/** The versions that there are, made ready for requests. */
export interface Versions {
  readonly newest: string;
  /** Of every answer of the API, until its caller is known to be of another version. */
  readonly headers: Readonly<Record<string, string>>;
  /** Has an endpoint answer in that version. Throws UNKNOWN_VERSION where `asked` for it by the request itself. */
  use(request: FastifyRequest, reply: FastifyReply, route: Route, version: string): void;
  /** Throws where what an endpoint says of its past does not fit. */
  check(route: Route): void;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const YEAR_MS = 365 * 86_400_000;

/** Throws where they are not in order, or one ends too early. */
export function versionsOf(all: readonly ApiVersion[] = API_VERSIONS): Versions {
  const fault = faultOf(all);
  if (fault !== undefined) throw new Error(fault);
  const newest = all[0]?.version ?? '';
  const oldest = all.at(-1)?.version ?? '';
  const headers = new Map(all.map((one) => [one.version, headersOf(one)]));
  return {
    newest,
    headers: headers.get(newest) ?? ANSWER_HEADERS,
    use(request, reply, { endpoint }, version) {
      const isAsked = request.headers[VERSION_HEADER] !== undefined;
      if (isAsked && !headers.has(version)) throw unknown(version, all);
      // A key that was made for one that has gone is answered by the oldest that is left.
      const used = headers.has(version) ? version : oldest;
      carryAlways(reply, 'guard', headers.get(used) ?? ANSWER_HEADERS);
      const earlier = endpoint.earlier?.filter((shape) => shape.version >= used);
      if (earlier && earlier.length > 0) request.earlier = earlier;
    },
    check({ id, endpoint: { earlier = [] } }) {
      const known = all.slice(1).map(({ version }) => version);
      const inOrder = earlier.every(
        ({ version }, i) =>
          known.includes(version) && version < (earlier[i - 1]?.version ?? newest),
      );
      if (!inOrder)
        throw new Error(`${id}: its earlier shapes are not of earlier versions, in order`);
    },
  };
}

/** What is wrong with such a list of versions, by the policy. */
function faultOf(all: readonly ApiVersion[]): string | undefined {
  for (const [i, { version, changes, ends }] of all.entries()) {
    const next = all[i - 1];
    if (!DAY.test(version) || Number.isNaN(Date.parse(version))) return `${version} is no day`;
    if (next && version >= next.version) return `${version} is not before ${next.version}`;
    if (changes.length === 0) return `${version} does not say what has changed`;
    if (ends === undefined) continue;
    if (!next) return `${version} is the newest, and cannot end`;
    if (!(Date.parse(ends) - Date.parse(next.version) >= YEAR_MS))
      return `${version} ends earlier than a year after ${next.version}`;
  }
  return all.length === 0 ? 'There is no version' : undefined;
}

const headersOf = ({ version, ends }: ApiVersion): Readonly<Record<string, string>> => ({
  ...ANSWER_HEADERS,
  [VERSION_HEADER]: version,
  ...(ends !== undefined && { [`${VERSION_HEADER}-ends`]: ends }),
});

const unknown = (version: string, all: readonly ApiVersion[]) =>
  wrongField(VERSION_HEADER, 'is not known here', {
    code: 'UNKNOWN_VERSION',
    said: `There is no version ${version.slice(0, 20)} of the API`,
    hint: `Known are ${all.map((one) => one.version).join(', ')}.`,
  });
