import { Ajv } from 'ajv';
import Fastify, { type FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { expect, it, vi } from 'vitest';
import { serialize } from './serialize.ts';
import { requestCompiler } from './wire.ts';

/** As each service of a process declares it: equal, and another object. */
const declared = () => Type.Object({ only_of_this_test: Type.String({ maxLength: 3 }) });
const request = { method: 'POST', url: '/' };

it('what a request must be is compiled once for all services of a process', () => {
  const compile = vi.spyOn(Ajv.prototype, 'compile');
  const checks = [1, 2, 3].map(() => requestCompiler()({ schema: declared(), ...request }));
  expect(checks.map((check) => check({ only_of_this_test: 'abc' }))).toEqual([true, true, true]);
  expect(checks.map((check) => check({ only_of_this_test: 'abcd' }))).toEqual([
    false,
    false,
    false,
  ]);
  expect(compile).toHaveBeenCalledTimes(1);
  compile.mockRestore();
});

it('other rules for the same schema are others', () => {
  const body = () => ({ only_of_this_test: 'abc', more: 1 });
  const [kept, dropped] = [body(), body()];
  void requestCompiler()({ schema: declared(), ...request })(kept);
  void requestCompiler({ declaredOnly: true })({ schema: declared(), ...request })(dropped);
  expect([kept, dropped]).toEqual([body(), { only_of_this_test: 'abc' }]);
});

it('how an answer is written is compiled once for all services of a process', async () => {
  const compile = vi.fn((reply: FastifyReply, schema: Record<string, unknown>) =>
    reply.compileSerializationSchema(schema),
  );
  const texts = [];
  for (let service = 0; service < 3; service++) {
    const server = Fastify();
    server.get('/', (_request, reply) => {
      const shape = declared() as unknown as Record<string, unknown>;
      const own = Object.create(reply, {
        compileSerializationSchema: { value: (schema: typeof shape) => compile(reply, schema) },
      });
      return serialize(own, shape, { only_of_this_test: 'abc', more: 1 });
    });
    texts.push((await server.inject('/')).body);
    await server.close();
  }
  const text = '{"only_of_this_test":"abc"}';
  expect(texts).toEqual([text, text, text]);
  expect(compile).toHaveBeenCalledTimes(1);
});
