import { type Static, type TSchema, Type } from 'typebox';
import { namesShown } from '#kernel/http/declare/caller-names.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import {
  AmountInput,
  explained,
  integerInput,
  Name,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
  text,
} from '#kernel/http/declare/schema.ts';
import type { Asset } from '#kernel/money/money.ts';
import { SCALE } from '#kernel/money/money.ts';
import { objectId } from '#kernel/object-id.ts';
import type { ObjectNames } from '#kernel/object-names/object-names.ts';
import {
  APPROVER_ROLES,
  POLICY_KINDS,
  SUBJECTS,
  WINDOWS,
  type Window,
} from '#kernel/policies/policy.ts';
import { POLICY_STATUSES, type Policy } from '#kernel/policies/policy-store.ts';

const KINDS_MAX = POLICY_KINDS.length;
const CONDITION_MAX = 2000;
const PRIORITY_MAX = 1000;
const HOLD_MIN_S = 60;
const HOLD_MAX_S = 604_800;

/** Assets that limits are of. */
const ASSETS = Object.keys(SCALE) as Asset[];
const WINDOW_NAMES = Object.keys(WINDOWS) as Window[];

const outcomeFields = <A extends TSchema>(amount: A, limit: string) => ({
  deny: Type.Optional(
    explained(Type.Object({ message: text(200) }), 'It is refused, with this message'),
  ),
  limit: Type.Optional(
    explained(
      named(limit, {
        amount: Type.Optional(amount),
        count: Type.Optional(integerInput(1, 1_000_000)),
        currency: Type.Optional(oneOfWords(ASSETS)),
        per: oneOfWords(SUBJECTS),
        window: oneOfWords(WINDOW_NAMES),
      }),
      'So much or so many in a window of time; windows begin at whole hours, days, Mondays and thirties of days in UTC',
    ),
  ),
  approve: Type.Optional(
    explained(
      Type.Object({
        count: integerInput(1, 3),
        roles: Type.Optional(Type.Array(oneOfWords(APPROVER_ROLES), { minItems: 1, maxItems: 2 })),
      }),
      'So many other people have to approve it: admins of the client, of the operator, or of either',
    ),
  ),
  hold_s: Type.Optional(
    explained(integerInput(HOLD_MIN_S, HOLD_MAX_S), 'It begins so many seconds later'),
  ),
  step_up: Type.Optional(
    explained(Type.Literal(true), 'The user proves to be there, by POST /step-up'),
  ),
});

const OutcomeInput = named('PolicyOutcomeInput', outcomeFields(AmountInput, 'PolicyLimitInput'));
export type WrittenOutcome = Static<typeof OutcomeInput>;

const NameField = explained(Name, 'What people call it');
const KindsField = explained(
  Type.Array(oneOfWords(POLICY_KINDS), { minItems: 1, maxItems: KINDS_MAX, uniqueItems: true }),
  'The kinds of operations that it is about',
);
const ConditionField = explained(
  Type.String({ minLength: 1, maxLength: CONDITION_MAX, examples: ['usd_cents > 100000'] }),
  'An expression in CEL; without one the policy applies to all of them',
);
const PriorityField = explained(
  integerInput(0, PRIORITY_MAX),
  'Of several of one kind of outcome the highest is named in the refusal',
);

export const Verdicts = oneOfWords([
  'ALLOW',
  'DENY',
  'LIMIT',
  'STEP_UP',
  'APPROVE',
  'HOLD',
] as const);

/** What people write of a policy. */
export const PolicyInput = {
  name: NameField,
  applies_to: KindsField,
  when: Type.Optional(Nullable(ConditionField)),
  then: OutcomeInput,
  priority: Type.Optional(PriorityField),
};

export const ShownPolicy = named('Policy', {
  policy_id: objectIdField('pol'),
  client_id: explained(
    Nullable(Type.Integer()),
    'Whose policy it is; null for the operator’s, which apply to all clients',
  ),
  name: Type.String(),
  applies_to: Type.Array(oneOfWords(POLICY_KINDS)),
  when: explained(TextOrNull, 'An expression in CEL; null applies to all'),
  then: named('PolicyOutcome', outcomeFields(Type.String(), 'PolicyLimit')),
  priority: Type.Integer(),
  status: oneOfWords(POLICY_STATUSES),
  version: Type.Integer(),
  edited_by: explained(Nullable(Type.Integer()), 'Who wrote it last, and cannot publish it'),
  edited_at: Timestamp,
  takes_effect: explained(
    Nullable(
      named('PolicyEffect', { act: oneOfWords(['publish', 'retire'] as const), at: Timestamp }),
    ),
    'What the one admin of a client has asked for, 24 hours before it happens',
  ),
  published_by: Nullable(Type.Integer()),
  published_at: Nullable(Timestamp),
  retired_by: Nullable(Type.Integer()),
  retired_at: Nullable(Timestamp),
  ...namesShown,
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** A policy with what its maker calls it. */
export interface NamedPolicy {
  readonly row: Policy;
  readonly names: ObjectNames;
}

/** A policy as it is answered. */
export const shownPolicy = ({
  row,
  names: { reference, metadata },
}: NamedPolicy): Static<typeof ShownPolicy> => ({
  policy_id: objectId('pol', row.policy_id),
  client_id: row.client_id,
  name: row.name,
  applies_to: [...row.applies_to],
  when: row.condition,
  then: row.outcome as Static<typeof ShownPolicy>['then'],
  priority: row.priority,
  status: row.status,
  version: row.version,
  edited_by: row.edited_by,
  edited_at: row.edited_at,
  takes_effect:
    row.pending === null || row.pending_at === null
      ? null
      : { act: row.pending, at: row.pending_at },
  published_by: row.published_by,
  published_at: row.published_at,
  retired_by: row.retired_by,
  retired_at: row.retired_at,
  reference,
  metadata,
  created_at: row.created_at,
  updated_at: row.updated_at,
});
