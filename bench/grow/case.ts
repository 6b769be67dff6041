import type { RouteId } from '#kernel/http/route.ts';
import type { people } from './sizes.ts';

type Who = keyof ReturnType<typeof people>;

/** One request that is measured; without `as` it comes with an API key alone. */
export interface Case {
  readonly name: string;
  readonly id: RouteId | 'GET /health/ready' | 'GET /metrics';
  readonly as?: Who;
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  /** Of the nth request, where each has to be another. */
  readonly body?: object | ((n: number) => object);
  /** Comes with an Idempotency-Key of its own. */
  readonly keyed?: boolean;
}

export const CHARGE = {
  card_number: '4111111111111111',
  expiry_date: '1239',
  currency_code: 'USD',
};
