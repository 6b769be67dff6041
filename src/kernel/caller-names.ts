import { type AppError, fail, wrongField } from './error.ts';

/** What a caller calls the object that a request makes. */
export interface GivenNames {
  /** The kind of thing that the endpoint makes: a reference is unique for a client and a kind. */
  readonly kind: string;
  /** The type of its events. */
  readonly object: string;
  /** The one event that the thing is made by, where the request may emit others of that type before. */
  readonly event?: string | undefined;
  readonly reference: string | null;
  readonly metadata: Metadata;
  readonly by: NamesGiver;
  /** The object that has them, once that has committed. */
  kept?: string;
  /** An earlier object of the same operation, which has them so far: it has failed, and is repeated. */
  takenFrom?: string;
}

/** Who gives names: they are unique for the client, and a conflict names what this caller may see. */
export interface NamesGiver {
  /** Null for a key of no client: then they are the client's whose object it is. */
  readonly client_id: number | null;
  readonly user_id: number | null;
  /** The things of the client that the caller may see. */
  readonly sees: 'all' | 'own' | 'none';
}

export type Metadata = Readonly<Record<string, string>>;
/** A change of it: null removes a key. */
export type MetadataChange = Readonly<Record<string, string | null>>;

export const REFERENCE_MAX = 100;
export const METADATA_KEYS_MAX = 20;
export const METADATA_VALUE_MAX = 500;
const METADATA_BYTES_MAX = 8 * 1024;

/** Printable ASCII without blanks. */
export const REFERENCE = '^[!-~]+$';
export const METADATA_KEY = '^[A-Za-z0-9_.-]{1,40}$';
const KEY = new RegExp(METADATA_KEY);
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Why something is no metadata, or no change of it; undefined where it is. */
export function metadataFault(value: unknown, { nulls }: { nulls: boolean }): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'must be an object of texts';
  const entries = Object.entries(value);
  if (!nulls && entries.length > METADATA_KEYS_MAX) return TOO_MANY;
  if (entries.length > 2 * METADATA_KEYS_MAX) return TOO_MANY;
  for (const [n, [key, text]] of entries.entries()) {
    if (!KEY.test(key)) return `has a wrong key, the ${ordinal(n)}: ${KEY_FORM}`;
    if (nulls && text === null) continue;
    if (typeof text !== 'string') return `must have a text as ${key}${nulls ? ', or null' : ''}`;
    if (text.length > METADATA_VALUE_MAX && [...text].length > METADATA_VALUE_MAX)
      return `must have at most ${METADATA_VALUE_MAX} characters as ${key}`;
    if (CONTROL.test(text)) return `must have no control characters as ${key}`;
  }
  return isTooLong(value) ? TOO_LONG : undefined;
}

const TOO_MANY = `must have at most ${METADATA_KEYS_MAX} keys`;
const TOO_LONG = 'must have at most 8 KiB as JSON';
const KEY_FORM = 'keys have 1 to 40 letters, digits, _, . and -';
const ordinal = (n: number): string => `number ${n + 1}`;
const isTooLong = (value: object): boolean =>
  Buffer.byteLength(JSON.stringify(value)) > METADATA_BYTES_MAX;

/** Metadata after a change. Throws VALIDATION_ERROR where it would be more than there may be. */
export function mergedMetadata(before: Metadata, change: MetadataChange): Metadata {
  const after = new Map(Object.entries(before));
  for (const [key, text] of Object.entries(change)) {
    if (text === null) after.delete(key);
    else after.set(key, text);
  }
  const merged = Object.fromEntries(after);
  const message = metadataFault(merged, { nulls: false });
  if (message === undefined) return merged;
  throw wrongField('metadata', message, { hint: 'A null removes a key. Nothing was changed.' });
}

/** REFERENCE_IN_USE, with the id of the thing where the caller may see it. */
export const referenceInUse = (id: string | undefined): AppError =>
  fail('REFERENCE_IN_USE', 'This reference is in use', {
    ...(id !== undefined && {
      details: { id },
      hint: `${id} has this reference. Read it, or send another reference for another operation.`,
    }),
  });
