import type { Static, TSchema } from 'typebox';
import type { PaymentSource } from '../payments/payment-source.ts';
import { shapeOf } from './shape.ts';
import { checkEarlier, type EarlierShape } from './versions.ts';

/** One kind of event of one kind of object. */
export interface EventType<D = unknown> {
  /** `payment.succeeded`: the object and what became of it. */
  readonly name: string;
  /** The kind of object: the name's first word, unless it is declared. */
  readonly object: string;
  /** Of the schema. An addition keeps it; any other change takes the next one. */
  readonly version: number;
  /** Of `data`: the object as its own GET answers it. */
  readonly schema: TSchema;
  /** Its earlier shapes, the newest first, for endpoints that are pinned to them. */
  readonly earlier: readonly EarlierShape[];
  /** One sentence for the API reference. */
  readonly summary: string;
  readonly example: D;
  /** When it was first emitted, as `2026-11`. */
  readonly since: string;
  /** Where its objects are payments: how each is one, by the id that the event has. */
  readonly payment?: PaymentSource | undefined;
  /** Of `data`, what the schema names. */
  shape(data: D): unknown;
}

/** Any of them, for lists: the schema says what the data is. */
export type AnyEventType = Omit<EventType<never>, 'example'> & { readonly example: unknown };

const NAME = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/;

/** Declares an event by its name in the past tense: `object.past_tense`. */
export function defineEvent<const S extends TSchema>(
  name: string,
  facts: {
    readonly version?: number;
    readonly object?: string;
    readonly schema: S;
    readonly summary: string;
    readonly example: Static<S>;
    readonly since: string;
    readonly payment?: PaymentSource | undefined;
    readonly earlier?: readonly EarlierShape[];
  },
): EventType<Static<S>> {
  if (!NAME.test(name)) throw new Error(`${name} is not a name for an event`);
  const { version = 1, earlier = NONE } = facts;
  checkEarlier(name, version, earlier);
  const { object = name.slice(0, name.indexOf('.')) } = facts;
  return { ...facts, version, earlier, name, object, shape: shapeOf(facts.schema) };
}

/** One for all, since types of a name have to share it. */
const NONE: readonly EarlierShape[] = [];

/** Declares all events of one kind of object, by the verb. */
export function defineEvents<const S extends TSchema, V extends string>(
  object: string,
  facts: {
    readonly schema: S;
    readonly example: Static<S>;
    readonly since: string;
    readonly version?: number;
    readonly payment?: PaymentSource | undefined;
    readonly earlier?: readonly EarlierShape[];
  },
  summaries: Readonly<Record<V, string>>,
): Readonly<Record<V, EventType<Static<S>>>> {
  const types = Object.entries<string>(summaries).map(([verb, summary]) => [
    verb,
    defineEvent(`${object}.${verb}`, { ...facts, summary }),
  ]);
  return Object.fromEntries(types);
}
