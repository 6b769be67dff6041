import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { oneOfWords } from '#kernel/http/declare/schema.ts';
import type { ModelTurn } from '#providers/language-model/port.ts';
import { type AgentIntent, type Given, given, INTENTS, parametersSchema } from './intent.ts';

/** The conversation of a caller that keeps it itself. It can propose, and confirm nothing. */
export interface Context {
  readonly turns: readonly ModelTurn[];
  readonly intent: AgentIntent | undefined;
  readonly parameters: Given;
  /** The confirmation that a yes is meant for. It can only keep that yes from counting for another one. */
  readonly confirmation_id: string | undefined;
}

const TURNS_MAX = 20;
const TURN_CHARS = 2000;

const Line = Type.Object({
  role: Type.Union([Type.Literal('user'), Type.Literal('assistant')]),
  content: Type.String(),
});
type Line = Static<typeof Line>;

/** Ignores the parts that it does not know, as endpoints ignore unknown fields. */
export function readContext(context: unknown): Context {
  const fields = (context ?? {}) as Readonly<Record<string, unknown>>;
  const confirmation = fields['confirmation_id'];
  return {
    turns: linesOf(fields['conversation_history']),
    intent: Value.Check(oneOfWords(INTENTS), fields['intent']) ? fields['intent'] : undefined,
    parameters: parametersOf(fields['parameters']),
    confirmation_id: typeof confirmation === 'string' ? confirmation : undefined,
  };
}

function linesOf(history: unknown): ModelTurn[] {
  if (!Array.isArray(history)) return [];
  const lines = history.slice(-TURNS_MAX).filter((line): line is Line => Value.Check(Line, line));
  return lines.map(({ role, content }) => ({
    role,
    content: content.slice(0, TURN_CHARS).toWellFormed(),
  }));
}

/** Each by itself, so that an invalid parameter costs no valid one. */
function parametersOf(parameters: unknown): Given {
  if (typeof parameters !== 'object' || parameters === null) return {};
  const schemas = parametersSchema().properties;
  const fitting = Object.entries(schemas).flatMap(([name, schema]) => {
    const value = (parameters as Readonly<Record<string, unknown>>)[name];
    return Value.Check(schema, value) ? [[name, value] as const] : [];
  });
  return given(Object.fromEntries(fitting));
}
