import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { fail } from '#kernel/error.ts';
import { integerInput, text } from '#kernel/http/declare/schema.ts';
import type { World } from '#sandbox/simulator.ts';
import { changeGood } from './simulated-goods.ts';

const Change = Type.Object({
  price: Type.Optional(integerInput(0, 1e12)),
  stock: Type.Optional(integerInput(0, 1e6)),
  title: Type.Optional(text(1000)),
  description: Type.Optional(text(10_000)),
});

/** `POST <path> {price?, stock?, title?, description?}`: the shop changes what it offers. */
export function productControl(
  server: FastifyInstance,
  { records }: World,
  of: { readonly provider: string; readonly path: string; has(id: string): boolean },
): void {
  server.post<{ Params: { id: string }; Body: Static<typeof Change> }>(
    of.path,
    { schema: { params: Type.Object({ id: text(50) }), body: Change } },
    async ({ params: { id }, body }) => {
      if (!of.has(id)) throw fail('NOT_FOUND', 'There is no such product');
      await changeGood(records, of.provider, id, body);
      return { id, ...body };
    },
  );
}
