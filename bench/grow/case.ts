import type { RouteId } from '#kernel/http/declare/route.ts';
import type { people } from './sizes.ts';

type Who = keyof ReturnType<typeof people>;
type CaseId = RouteId | 'GET /health/ready' | 'GET /metrics';

/** The inputs of a request. */
interface Given {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  /** For the nth request, if each has to differ. */
  readonly body?: object | ((n: number) => object);
  /** Sent with an Idempotency-Key of its own. */
  readonly keyed?: boolean;
}

/** One measured request; without `as` it has an API key alone. */
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
