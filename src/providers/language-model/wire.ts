import { type Static, Type } from 'typebox';

/** `GET /models`. */
export const WireModels = Type.Object({
  data: Type.Array(Type.Object({ id: Type.String() }), { maxItems: 10_000 }),
});

const Part = Type.Object({ type: Type.Literal('text'), text: Type.String() });

export const WireMessage = Type.Object({
  role: Type.Union([Type.Literal('system'), Type.Literal('user'), Type.Literal('assistant')]),
  content: Type.Union([Type.String(), Type.Array(Part)]),
});
export type WireMessage = Static<typeof WireMessage>;

/** `POST /chat/completions`, as far as the sandbox knows it. */
export const WireCompletion = Type.Object({
  model: Type.String(),
  messages: Type.Array(WireMessage, { minItems: 1, maxItems: 200 }),
  max_tokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  stream: Type.Optional(Type.Boolean()),
  response_format: Type.Optional(
    Type.Union([
      Type.Object({ type: Type.Union([Type.Literal('text'), Type.Literal('json_object')]) }),
      Type.Object({
        type: Type.Literal('json_schema'),
        json_schema: Type.Object({ name: Type.String(), schema: Type.Unsafe<object>({}) }),
      }),
    ]),
  ),
});
export type WireCompletion = Static<typeof WireCompletion>;
