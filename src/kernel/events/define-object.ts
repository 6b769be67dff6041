import type { Static, TSchema } from 'typebox';
import type { Db } from '../db/db.ts';
import type { PaymentSource } from '../payments/payment-source.ts';
import { type EventInput, emit } from './emit.ts';
import { defineEvents, type EventType } from './event-type.ts';

/** Whose an object is, and its id: what each event says of it besides its data. */
export type ObjectKey = Pick<EventInput<unknown>, 'client_id' | 'user_id' | 'id' | 'operation'>;

export interface ObjectFacts<Row, S extends TSchema> {
  /** As GET answers it and events carry it. */
  readonly schema: S;
  /** Of each event, in the API reference. */
  readonly example: Static<S>;
  /** The month of its first event, as `2026-11`. */
  readonly since: string;
  /** Where it is a payment: how, by its id. */
  readonly payment?: PaymentSource;
  key(row: Row): ObjectKey;
  show(row: Row): Static<S>;
}

export interface ObjectEvents<Row, V extends string> {
  /** For the list of the feature's events. */
  readonly types: readonly EventType[];
  /** Stores the event in the transaction that changes the object. */
  emit(tx: Db, verb: V, row: Row, more?: Pick<EventInput<unknown>, 'previous' | 'cause'>): void;
}

export interface ObjectType<Row, S extends TSchema> extends ObjectFacts<Row, S> {
  /** Events `<name>.<verb>`, with one sentence for each verb. */
  events<V extends string>(
    name: string,
    summaries: Readonly<Record<V, string>>,
  ): ObjectEvents<Row, V>;
}

/**
 * One kind of object: its shape, example and presenter in one place, from which its answers, its events and
 * the API reference are made.
 */
export function defineObject<Row, const S extends TSchema>(
  facts: ObjectFacts<Row, S>,
): ObjectType<Row, S> {
  const { schema, example, since, payment, key, show } = facts;
  return {
    ...facts,
    events(name, summaries) {
      const types = defineEvents(name, { schema, example, since, payment }, summaries);
      return {
        types: Object.values(types),
        emit: (tx, verb, row, more) =>
          emit(tx, types[verb], { ...key(row), ...more, data: show(row) }),
      };
    },
  };
}
