import { type TSchema, Type } from 'typebox';
import { type AppError, fail } from '#kernel/error.ts';
import { named } from './named.ts';
import { explained, Nullable, oneOfWords, TextOrNull, Timestamp } from './schema.ts';

/** What an object waits for, beside its status. The list is open: more may be added. */
const SUBSTATUSES = [
  ...['in_doubt', 'stalled', 'waiting_for_provider', 'waiting_for_approval', 'waiting_for_funds'],
  ...['waiting_for_person', 'scheduled', 'held_by_policy'],
] as const;
export type Substatus = (typeof SUBSTATUSES)[number];

/** Why an object failed, as its row keeps it. */
export interface ObjectFailure {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly provider_code?: string;
  readonly at: string;
}

/** An open call for an object: its outcome is not known. */
export interface Doubt {
  readonly since: string;
  /** When it is looked up next; null where nothing looks by itself any more. */
  readonly next_attempt_at: string | null;
  /** It is not looked up any more: a person has to decide. */
  readonly isStalled: boolean;
}

/** The columns of a table whose objects have state fields. */
export interface StateRow<S extends string = string> {
  readonly status: S;
  /** `{pending_at: …}`: when it was in each status for the first time (`stateMovesOf`). */
  readonly status_times: unknown;
  readonly failure: unknown;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

const Failure = named('ObjectFailure', {
  code: Type.String(),
  message: Type.String(),
  retryable: explained(Type.Boolean(), 'Whether the same may succeed when it is made again'),
  provider_code: Type.Optional(explained(Type.String(), 'The code that the provider gave')),
  at: Timestamp,
});

const timeKey = (status: string): string => `${status.toLowerCase()}_at`;

/** The fields that every object that moves money has about its state. */
export const stateFields = <const S extends readonly string[]>(statuses: S) => ({
  status: oneOfWords(statuses),
  substatus: explained(
    TextOrNull,
    `What it waits for: ${SUBSTATUSES.join(', ')}. The list is open`,
  ),
  status_times: explained(
    Type.Unsafe<Readonly<Record<string, string>>>({
      type: 'object',
      properties: Object.fromEntries(
        statuses.map((status): [string, TSchema] => [timeKey(status), Timestamp]),
      ),
    }),
    'When it was in each status for the first time',
  ),
  failure: explained(Nullable(Failure), 'Why it failed'),
  in_doubt_since: explained(
    Nullable(Timestamp),
    'Since when the outcome of a call is unknown; null without doubt',
  ),
  next_attempt_at: explained(Nullable(Timestamp), 'When that call is looked up next'),
  version: explained(Type.Integer(), 'Counts changes'),
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** What else is known of an object's state when it is read. */
interface StateFacts {
  readonly doubt?: Doubt | undefined;
  /** What it waits for where there is no doubt. */
  readonly waits?: Substatus | undefined;
}

/** The state fields of a row. */
export const shownState = <S extends string>(
  { status, status_times, failure, version, created_at, updated_at }: StateRow<S>,
  { doubt, waits }: StateFacts = {},
) => ({
  status,
  substatus: substatusOf(doubt) ?? waits ?? null,
  status_times: status_times as Readonly<Record<string, string>>,
  failure: failure as ObjectFailure | null,
  in_doubt_since: doubt?.since ?? null,
  next_attempt_at: doubt?.next_attempt_at ?? null,
  version,
  created_at,
  updated_at,
});

function substatusOf(doubt: Doubt | undefined): Substatus | undefined {
  if (doubt === undefined) return undefined;
  return doubt.isStalled ? 'stalled' : 'in_doubt';
}

/** The object is in a status that does not allow the act. 409; the contract's own endpoints answer 400. */
export const notAllowedIn = (status: string, allowed: readonly string[]): AppError =>
  fail('INVALID_STATUS', `It is ${status}, and the act is possible while it is ${oneOf(allowed)}`, {
    status: 409,
    details: { status, allowed },
  });

const oneOf = (words: readonly string[]): string =>
  words.length < 2 ? String(words[0]) : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
