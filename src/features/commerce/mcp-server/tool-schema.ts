import { fail } from '#kernel/error.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import { requestCompiler } from '#kernel/http/declare/wire.ts';
import { plainSchema } from '#kernel/openapi/plain-schema.ts';
import type { Arguments, Tool } from './tool.ts';
import { TOOLS, type ToolName } from './tools.ts';

/** Where each field of a tool goes in its endpoint. */
export interface FieldParts {
  readonly params: readonly string[];
  readonly query: readonly string[];
  readonly body: readonly string[];
}

/** The shape of what a tool takes. */
export interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** A tool with what its endpoint declares, so that the two cannot disagree. */
export interface DescribedTool extends Tool {
  readonly name: ToolName;
  readonly input: InputSchema;
  readonly parts: FieldParts;
  /** Throws what is wrong with these arguments, before the person is asked to agree to them. */
  check(given: Arguments): void;
}

export const TOOL_CONFIRMATION = 'confirmation';

/** Throws where no endpoint is declared under the tool's address. */
export function describeTool(name: ToolName, routes: readonly Route[]): DescribedTool {
  const tool: Tool = TOOLS[name];
  const route = routes.find(({ id }) => id === tool.endpoint);
  if (!route) throw new Error(`The tool ${name} has no endpoint ${tool.endpoint}`);
  const { params, query, body } = route.endpoint;
  const parts = { params: partOf(params), query: partOf(query), body: partOf(body) };
  const all = [parts.params, parts.query, parts.body];
  const hidden = new Set([...(tool.own ?? []), ...(tool.without ?? [])]);
  const offered = Object.entries(Object.assign({}, ...all.map((part) => part.properties)));
  const input: InputSchema = {
    type: 'object',
    properties: {
      ...(Object.fromEntries(offered.filter(([name]) => !hidden.has(name))) as Part['properties']),
      ...(tool.asks && { [TOOL_CONFIRMATION]: CONFIRMATION_FIELD }),
    },
    required: [...all.flatMap((part) => part.required), ...(tool.needs ?? [])].filter(
      (name) => !hidden.has(name),
    ),
    additionalProperties: false,
  };
  return {
    ...tool,
    name,
    input,
    check: checkOf(input),
    parts: {
      params: Object.keys(parts.params.properties),
      query: Object.keys(parts.query.properties),
      body: Object.keys(parts.body.properties),
    },
  };
}

const CONFIRMATION_FIELD = {
  type: 'string',
  maxLength: 1000,
  description:
    'Left out at first. What the first call answered, once the person has read what will happen and agreed.',
};

interface Part {
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

const partOf = (schema: Route['endpoint']['body']): Part => ({
  properties: {},
  required: [],
  ...(schema && (plainSchema(schema) as Partial<Part>)),
});

const compile = requestCompiler({ firstOnly: true });

function checkOf(input: InputSchema): DescribedTool['check'] {
  const validate = compile({ schema: input, method: 'POST', url: '/mcp-server' });
  return (given) => {
    // A copy, since a check may write what it found an amount or an id to be.
    if (validate(structuredClone(given)) === true) return;
    const [fault] =
      (validate as { errors?: { instancePath: string; message?: string }[] }).errors ?? [];
    const where = fault?.instancePath.slice(1) || 'arguments';
    throw fail('VALIDATION_ERROR', `${where}: ${fault?.message ?? 'not as described'}`);
  };
}
