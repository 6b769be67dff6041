import type { FastifyReply } from 'fastify';
import { byContent } from './by-content.ts';

type Serialize = (value: Record<string, unknown>) => unknown;

/** By the object, which is how every answer but the first of a service asks. */
const bySchema = new WeakMap<object, Serialize>();
const byText = byContent<Serialize>();

/**
 * The JSON text of an answer, with what its shape declares and no more. A shape is compiled for the first answer
 * that has it: doing so for all of them at once would slow each start down.
 */
export function serialize(
  reply: FastifyReply,
  shape: Record<string, unknown>,
  answer: Record<string, unknown>,
): string {
  let made = bySchema.get(shape);
  if (!made) {
    made = byText(shape, () => reply.compileSerializationSchema(shape));
    bySchema.set(shape, made);
  }
  return String(made(answer));
}
