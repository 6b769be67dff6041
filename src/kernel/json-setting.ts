import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** Reads a setting that is JSON of that shape. Throws an error for the operator to read. */
export function jsonSetting<S extends TSchema>(name: string, shape: S, text: string): Static<S> {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (cause) {
    throw new Error(`Bad configuration: ${name} is not JSON`, { cause });
  }
  if (Value.Check(shape, read)) return read;
  const [first] = Value.Errors(shape, read);
  throw new Error(`Bad configuration: ${name}${first?.instancePath ?? ''} ${first?.message}`);
}
