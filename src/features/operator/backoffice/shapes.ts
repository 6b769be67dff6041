import { Type } from 'typebox';
import { SUSPENSION_STATE } from '#features/operator/suspensions/suspensions.ts';
import { named } from '#kernel/http/declare/named.ts';
import {
  explained,
  Json,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';

const Count = Type.Integer();
const Name = Type.String();

/** Unfinished work, see `OpenWork`. */
export const OpenWorkReply = named('OpenWork', {
  /** Some of it is dead, differs or waits for a person. */
  needs_person: Type.Boolean(),
  queues: Type.Array(
    Type.Object({
      name: Name,
      due: Count,
      delayed: Count,
      retrying: Count,
      active: Count,
      oldest_s: Type.Number(),
    }),
  ),
  dead_letters: Type.Array(
    Type.Object({ id: Name, name: Name, error: TextOrNull, attempts: Count, died_at: Timestamp }),
  ),
  effects: Type.Array(
    Type.Object({
      kind: Name,
      open: Count,
      stalled: Count,
      overdue: explained(Count, 'Open for longer than that kind usually is'),
      oldest_s: Type.Number(),
    }),
  ),
  in_doubt: explained(
    Type.Array(
      Type.Object({
        kind: Name,
        id: Name,
        since: Timestamp,
        calls: Count,
        look_ups: Count,
        is_overdue: Type.Boolean(),
        note: TextOrNull,
      }),
    ),
    'The calls whose outcome is unknown, oldest first, at most 100',
  ),
  returned_twice: explained(
    Type.Array(Type.Object({ payment: Name, currency: Name, amount: Name, since: Timestamp })),
    'Money that was taken back or paid out although it had been returned before: claim it from the network or bank, or write it off',
  ),
  discrepancies: explained(
    Type.Array(
      Type.Object({
        cause: explained(
          oneOfWords(['ANOTHER_SUM', 'REVERSED_AFTER_REFUND']),
          'ANOTHER_SUM: a provider reports another sum than we ordered, and it waits until it reports ours. REVERSED_AFTER_REFUND: the card network calls a top-up undone after we had given back a part; decide by `POST /card-checkout/reversals/decide`',
        ),
        kind: Name,
        id: Name,
        currency: Name,
        ours: explained(Name, 'The sum that we ordered, or have refunded'),
        theirs: explained(Name, 'The sum that the other side reports'),
        since: Timestamp,
      }),
    ),
    'Where the other side reports another sum than our books: nothing is booked of it by itself',
  ),
  inbox: Type.Array(
    Type.Object({ source: Name, open: Count, stalled: Count, oldest_s: Type.Number() }),
  ),
  flows: Type.Array(Type.Object({ type: Name, state: Name, count: Count, stalled: Count })),
  stalled: Type.Array(
    Type.Object({
      what: oneOfWords(['effect', 'flow', 'inbox']),
      id: Name,
      kind: Name,
      since: Timestamp,
      error: TextOrNull,
    }),
  ),
  breaks: Type.Array(
    Type.Object({ rail: Name, cause: Name, open: Count, oldest_s: Type.Number() }),
  ),
  /** Listed by `GET /idrtoken/payments`. */
  unmatched: Type.Array(Type.Object({ rail: Name, reason: Name, open: Count })),
});

/** The history of one object, see `Timeline`. */
export const TimelineReply = named('Timeline', {
  people: Type.Array(
    Type.Object({
      user_id: Count,
      client_id: Count,
      username: Name,
      email: Nullable(Name),
      role: Name,
      user_status: Name,
      ...SUSPENSION_STATE,
    }),
  ),
  clients: Type.Array(
    Type.Object({
      client_id: Count,
      client_code: Name,
      client_alias: Name,
      email: Name,
      client_status: Name,
      ...SUSPENSION_STATE,
    }),
  ),
  names: Type.Array(Name),
  moments: Type.Array(
    Type.Object({ at: Timestamp, what: Name, type: Name, about: Name, details: Json }),
  ),
});
