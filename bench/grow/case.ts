import type { RouteId } from '#kernel/http/declare/route.ts';
import type { people } from './sizes.ts';

type Who = keyof ReturnType<typeof people>;
type CaseId = RouteId | 'GET /health/ready' | 'GET /metrics';

/** What a request is given. */
interface Given {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  /** Of the nth request, where each has to be another. */
  readonly body?: object | ((n: number) => object);
  /** Comes with an Idempotency-Key of its own. */
  readonly keyed?: boolean;
}

/** One request that is measured; without `as` it comes with an API key alone. */
export interface Case extends Given {
  readonly name: string;
  readonly id: CaseId;
  readonly as?: Who;
}

/** Cases of one caller, a line each. */
export const casesOf = (
  as: Who | undefined,
  lines: readonly (readonly [name: string, id: CaseId, given?: Given])[],
): Case[] => lines.map(([name, id, given]) => ({ name, id, ...(as && { as }), ...given }));
