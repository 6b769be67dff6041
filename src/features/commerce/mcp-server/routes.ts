import { Type } from 'typebox';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { GUIDES } from '#kernel/http/declare/error-guide.ts';
import { toAppError } from '#kernel/http/declare/faults.ts';
import { Html } from '#kernel/http/declare/html.ts';
import { at, endpoints, type Route } from '#kernel/http/declare/route.ts';
import { Json, text } from '#kernel/http/declare/schema.ts';
import type { Logger } from '#kernel/log.ts';
import { toolsFor } from './app-scopes.ts';
import { callTool, type ToolAnswer, type ToolCall } from './call-tool.ts';
import type { Confirmations } from './confirmation.ts';
import { answerMessage } from './protocol.ts';
import type { ModelTools } from './run-tool.ts';

export interface Deps {
  readonly confirmations: Confirmations;
  readonly tools: ModelTools;
  readonly log: Logger;
}

const endpoint = endpoints(errorEnvelope);

/** The Model Context Protocol over streamable HTTP, without sessions: each message stands alone. */
export const mcpServerRoutes = (deps: Deps): Route[] => [
  endpoint('POST /mcp-server', {
    name: 'mcp.call',
    auth: 'user',
    opensToApps: true,
    summary: "A Model Context Protocol server: a model's tools, by key and token or by OAuth",
    body: Type.Object({
      jsonrpc: text(10),
      id: Type.Optional(Json),
      method: Type.Optional(text(100)),
      params: Type.Optional(Json),
      result: Type.Optional(Json),
      error: Type.Optional(Json),
    }),
    example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    reply: { 200: Json, 400: Json },
    async handler({ caller, body, request }) {
      const version = request.headers['mcp-protocol-version'];
      const answer = await answerMessage(body, typeof version === 'string' ? version : undefined, {
        tools: toolsFor(deps.tools, caller.key),
        call: (tool, given) => answered(deps, { tool, given, caller, request }),
      });
      // A notification asks for no answer, not even for an empty object.
      if (answer.body === '') return new Html(answer.status, '');
      return at(answer.status === 200 ? 200 : 400, JSON.parse(answer.body) as object);
    },
  }),
];

/** The model reads errors as answers; the log has those that nothing foresaw. */
async function answered(deps: Deps, call: ToolCall): Promise<ToolAnswer> {
  try {
    return await callTool(deps, call);
  } catch (error) {
    const { code, message, hint, details, cause } = toAppError(error, undefined);
    if (code === 'INTERNAL')
      deps.log.error(
        { reqId: call.request.id, err: cause ?? error, tool: call.tool.name },
        'unforeseen',
      );
    const help = { hint: hint ?? GUIDES[code].cure };
    const fault = { code, message, ...help, ...(details !== undefined && { details }) };
    return { isError: true, content: { ...fault, request_id: call.request.id } };
  }
}
