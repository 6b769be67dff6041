import { type TProperties, type TSchema, Type } from 'typebox';
import {
  type Metadata,
  type MetadataChange,
  REFERENCE,
  REFERENCE_MAX,
} from '../../caller-names.ts';
import { explained, integerInput, Nullable } from './schema.ts';

/** What a caller calls a thing; null where nothing was given. Of every thing that an endpoint makes. */
const CallerReference = Type.String({
  minLength: 1,
  maxLength: REFERENCE_MAX,
  pattern: REFERENCE,
  description: 'Printable ASCII without blanks',
  examples: ['invoice-2041'],
  'x-name': 'CallerReference',
});
const MetadataInput = Type.Unsafe<Metadata>({
  wire: 'metadata',
  nulls: false,
  examples: [{ order: '2041' }],
  'x-name': 'Metadata',
});

const given = {
  reference: Type.Optional({
    ...CallerReference,
    description:
      'Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever',
  }),
  metadata: Type.Optional({
    ...MetadataInput,
    description: 'What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all',
  }),
};

/** Of an answer or an event. */
export const namesShown = {
  reference: Nullable(CallerReference),
  metadata: Type.Unsafe<Metadata>({
    type: 'object',
    additionalProperties: { type: 'string' },
    examples: [{ order: '2041' }],
  }),
};

/** The body of `PATCH <thing>/metadata`. */
export const MetadataPatch = Type.Object({
  metadata: explained(
    Type.Unsafe<MetadataChange>({
      wire: 'metadata',
      nulls: true,
      examples: [{ order: '2041', draft: null }],
      'x-name': 'MetadataChange',
    }),
    'Keys to set; null removes one, and the others stay',
  ),
  version: Type.Optional(
    explained(
      integerInput(1, 2_147_483_647),
      'Of the metadata: 1 at first, one more with each change of it. With another than the present one nothing is changed, and VERSION_CONFLICT names that',
    ),
  ),
});

/**
 * What an endpoint makes: the kind of thing, one for each creating endpoint and its versions, and the type of its events
 * where that is another word. The thing has to emit its first event in the transaction that stores it, before anything
 * outside is called: that writes its names.
 */
export type Creates = string | CreatedObject;
export interface CreatedObject {
  readonly kind: string;
  readonly object: string;
  /** The verb of the event that it is made by, where the request may emit another one of that type before. */
  readonly on?: string;
}

/** The endpoint, taking in its body the names of what it makes. */
export const takingNames = <E extends { readonly creates?: Creates; readonly body?: TSchema }>(
  endpoint: E,
): E =>
  endpoint.creates === undefined ? endpoint : { ...endpoint, body: namedBody(endpoint.body) };

function namedBody(body: TSchema = Type.Object({})): TSchema {
  const { anyOf, properties } = body as { anyOf?: readonly TSchema[]; properties?: TProperties };
  if (anyOf) return { ...body, anyOf: anyOf.map((member) => namedBody(member)) } as TSchema;
  if (properties === undefined) throw new Error('Only an object takes a reference and metadata');
  const taken = Object.keys(given).filter((name) => name in properties);
  if (taken.length > 0) throw new Error(`The body has a ${taken.join()} of its own`);
  return { ...body, properties: { ...properties, ...given } } as TSchema;
}

/** Whether a field is one of the caller's names: what is wrong with those has no words of the contract. */
export const isNames = (field: string): boolean => (field.split('.', 1)[0] as string) in given;
