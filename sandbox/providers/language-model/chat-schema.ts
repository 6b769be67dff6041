import { type Static, Type } from 'typebox';

/**
 * What `POST /chat/completions` takes, by OpenAI's reference alone (platform.openai.com/docs/api-reference/chat), as far as
 * rules can answer it. What it does not name is left out.
 */
const Part = Type.Object({ type: Type.Literal('text'), text: Type.String() });
const Content = Type.Union([Type.String(), Type.Array(Part)]);

const Said = Type.Object({
  role: Type.Enum(['system', 'developer', 'user']),
  content: Content,
});
const Answered = Type.Object({
  role: Type.Literal('assistant'),
  /** Null where it calls tools instead. */
  content: Type.Optional(Type.Union([Content, Type.Null()])),
});
const ToolResult = Type.Object({
  role: Type.Literal('tool'),
  tool_call_id: Type.String(),
  content: Content,
});

export const ChatTurn = Type.Union([Said, Answered, ToolResult]);
export type ChatTurn = Static<typeof ChatTurn>;

const Limit = Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]));

export const ChatRequest = Type.Object({
  model: Type.String(),
  messages: Type.Array(ChatTurn, { minItems: 1 }),
  max_tokens: Limit,
  max_completion_tokens: Limit,
  stream: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  response_format: Type.Optional(
    Type.Union([
      Type.Object({ type: Type.Enum(['text', 'json_object']) }),
      Type.Object({
        type: Type.Literal('json_schema'),
        json_schema: Type.Object({ name: Type.String(), schema: Type.Unsafe<object>({}) }),
      }),
    ]),
  ),
});
export type ChatRequest = Static<typeof ChatRequest>;
