import { Type } from 'typebox';

/** `GET /models`. */
export const WireModels = Type.Object({
  data: Type.Array(Type.Object({ id: Type.String() }), { maxItems: 10_000 }),
});

/** How the server says that the model takes the newer name of the limit. */
export const WireUnsupported = Type.Object({
  error: Type.Object({ param: Type.Literal('max_tokens') }),
});
