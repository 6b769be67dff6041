import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** A refusal in Xendit's form. */
export const refuseAsXendit = (
  reply: FastifyReply,
  status: number,
  error_code: string,
  message: string,
) => reply.code(status).send({ error_code, message });

/** The first fault of what was sent. */
export function invalidAtXendit(reply: FastifyReply, schema: TSchema, given: unknown) {
  const [first] = Value.Errors(schema, given);
  const fault = `${first?.instancePath || 'The request'} ${first?.message ?? 'is invalid'}`;
  return refuseAsXendit(reply, 400, 'API_VALIDATION_ERROR', fault);
}
