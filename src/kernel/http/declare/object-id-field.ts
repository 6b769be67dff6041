import { Type } from 'typebox';
import { type ObjectPrefix, objectId, objectIdPattern } from '#kernel/object-id.ts';

const EXAMPLE = '019e4d6f-2a7b-7c31-9d52-8f4b6c1a7e30';

/** An object's id in an answer. */
export const objectIdField = (prefix: ObjectPrefix) =>
  Type.String({ pattern: objectIdPattern(prefix), examples: [objectId(prefix, EXAMPLE)] });

/** An object's id in a request; handlers get its UUID. Another form is refused with 400. */
export const objectIdInput = (prefix: ObjectPrefix) =>
  Type.Unsafe<string>({ wire: 'object-id', prefix, examples: [objectId(prefix, EXAMPLE)] });
