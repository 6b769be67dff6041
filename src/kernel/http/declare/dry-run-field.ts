import { type TProperties, type TSchema, Type } from 'typebox';
import type { AnyEndpoint, Route } from './route.ts';
import { explained, oneOfWords } from './schema.ts';

/** The parameter that asks what an operation would do. It is no part of the endpoint's query: the service answers it. */
export const DRY_RUN = explained(
  oneOfWords(['true', 'false']),
  'With `true` nothing is done: the answer is 200 with `data` as `DryRun` has it, which says what would be done up to ' +
    'the first call outside. An `Idempotency-Key` is not needed and not used up',
);

const CHANGES = /^(POST|PUT|PATCH|DELETE) /;

/** Whether a request of that endpoint may be a dry run: what moves money, or decides where it goes. */
export const takesDryRun = ({ id, endpoint }: Pick<Route, 'id' | 'endpoint'>): boolean =>
  endpoint.movesMoney === true && CHANGES.test(id);

/** The query of such an endpoint as requests are checked by it. */
export function queryWithDryRun({ query }: Pick<AnyEndpoint, 'query'>): TSchema {
  const { properties = {} } = (query ?? {}) as { properties?: TProperties };
  return {
    ...(query ?? Type.Object({})),
    properties: { ...properties, dry_run: DRY_RUN },
  } as TSchema;
}

const Amounts = { account: Type.String(), asset: Type.String(), amount: Type.String() };

/** `data` of the answer to a dry run. */
export const DryRunAnswer = Type.Object(
  {
    dry_run: Type.Literal(true),
    would: Type.Object({
      status: explained(
        Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
        'Of the answer; null where it depends on a call outside',
      ),
      body: explained(
        Type.Unsafe<unknown>({}),
        'The answer; null where it depends on a call outside',
      ),
      postings: explained(
        Type.Array(Type.Object({ ...Amounts, held: Type.String() })),
        'Changes of balances and of what is held. `account` is `wallet:<id>`, the name of an account of the platform, or `another wallet`',
      ),
      fees: explained(Type.Array(Type.Object(Amounts)), 'Those of the postings that are fees'),
      limits: Type.Array(
        Type.Object({ limit_id: Type.String(), used: Type.String(), limit: Type.String() }),
      ),
      policy: explained(Type.Unsafe<unknown>({}), 'The decision of the policies; null without one'),
      events: explained(Type.Array(Type.String()), 'Types of the events that would be stored'),
      calls: Type.Array(Type.Object({ provider: Type.String(), operation: Type.String() })),
      messages: Type.Array(Type.Object({ channel: Type.String() })),
    }),
    as_of: Type.String({ format: 'date-time' }),
  },
  { 'x-name': 'DryRun' },
);
