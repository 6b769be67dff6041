import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { SETTINGS } from '#kernel/config/config.ts';

/** Reads a setting that is JSON of that shape. Throws an error for the operator to read. */
export function jsonSetting<S extends TSchema>(name: string, shape: S, text: string): Static<S> {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (cause) {
    throw malformed(name, 'is not JSON', cause);
  }
  if (Value.Check(shape, read)) return read;
  const [first] = Value.Errors(shape, read);
  throw malformed(`${name}${first?.instancePath ?? ''}`, first?.message ?? 'is malformed');
}

function malformed(place: string, what: string, cause?: unknown): Error {
  const example = SETTINGS[place.split('/', 1)[0] ?? '']?.example;
  return new Error(`Bad configuration: ${place} ${what}; it is written like ${example}`, { cause });
}
