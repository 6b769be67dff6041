import { Type } from 'typebox';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { explained, text } from '#kernel/http/declare/schema.ts';

/** Who suspends or reinstates, and why. */
export interface SuspensionOrder {
  readonly caller: UserCaller;
  readonly reason: string;
  readonly request: RequestFacts;
  /** Of a user: whether the keys that they created end, too. */
  readonly end_keys?: boolean | undefined;
}

export const ReasonBody = Type.Object({
  reason: explained(text(500), 'Why; for the audit log, which the admins of the client can read'),
});
export const SuspensionBody = Type.Object({
  ...ReasonBody.properties,
  end_keys: Type.Optional(
    explained(
      Type.Boolean(),
      'Whether the API keys that they have made end for good; otherwise they are listed',
    ),
  ),
});
export const example = { reason: 'Asked for by its owner, ticket 4711' };
