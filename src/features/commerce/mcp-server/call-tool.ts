import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Confirmations } from './confirmation.ts';
import type { Arguments } from './tool.ts';
import { type DescribedTool, TOOL_CONFIRMATION } from './tool-schema.ts';

/** A request to our own API, made in the caller's name. */
export interface OwnRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Arguments;
  /** The caller's, so that what counts by address counts for them. */
  readonly ip: string;
}
export interface OwnAnswer {
  readonly status: number;
  readonly body: unknown;
}
/** Makes a request to our own API without a socket: all that guards an endpoint guards it here. */
export type AskOwn = (request: OwnRequest) => Promise<OwnAnswer>;

export interface ToolCall {
  readonly tool: DescribedTool;
  readonly given: Arguments;
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}
export interface ToolAnswer {
  readonly isError: boolean;
  readonly content: Readonly<Record<string, unknown>>;
}

interface Deps {
  readonly confirmations: Confirmations;
  readonly askOwn: AskOwn;
}

/** Calls the tool's endpoint with the caller's own key and token; asks first where it moves money. */
export async function callTool(
  { confirmations, askOwn }: Deps,
  call: ToolCall,
): Promise<ToolAnswer> {
  const { tool, caller } = call;
  tool.check(call.given);
  const { [TOOL_CONFIRMATION]: confirmation, ...given } = call.given;
  if (!tool.asks) return answerOf(await askOwn(requestOf(call, given)));
  const about = tool.about && (await askOwn(aboutOf(call, tool.about, given)));
  if (about && about.status >= 400) return answerOf(about);
  const what = tool.asks(given, (about?.body ?? {}) as Arguments);
  const wish = { caller, tool: tool.name, given, what };
  if (confirmation === undefined) return question(what, confirmations.ask(wish));
  const key = confirmations.accept(String(confirmation), wish);
  return answerOf(await askOwn(requestOf(call, given, key)));
}

/** The request that reads what the question is about: all of its arguments are in its path. */
function aboutOf(call: ToolCall, path: `/${string}`, given: Arguments): OwnRequest {
  const endpoint = `GET ${path}` as const;
  const tool = { ...call.tool, endpoint, places: { path: [], query: [], body: [] } };
  return requestOf({ ...call, tool }, given);
}

const question = (what: string, asked: object): ToolAnswer => ({
  isError: false,
  content: {
    status: 'CONFIRMATION_REQUIRED',
    what_will_happen: what,
    next_step:
      'Nothing has moved. Show what_will_happen to the person. Only if they agree, call the same tool again with the same arguments and this confirmation.',
    ...asked,
  },
});

function requestOf(
  { tool, caller, request }: ToolCall,
  given: Arguments,
  idempotencyKey?: string,
): OwnRequest {
  const [method = '', path = ''] = tool.endpoint.split(' ');
  const own = Object.fromEntries((tool.own ?? []).map((name) => [name, caller.user_id]));
  const values: Arguments = { ...given, ...own };
  const { places } = tool;
  const body = pick(values, places.body);
  return {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(values[name] ?? '')),
    ),
    query: Object.fromEntries(
      Object.entries(pick(values, places.query)).map(([name, value]) => [name, String(value)]),
    ),
    headers: {
      ...credentialsOf(request),
      'x-request-id': request.id,
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(method === 'GET' ? {} : { body }),
    ip: request.ip,
  };
}

const pick = (values: Arguments, names: readonly string[]): Arguments =>
  Object.fromEntries(
    names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  );

/** What proves the caller, and nothing else that came with the request. */
const credentialsOf = ({ headers }: RequestFacts): Record<string, string> =>
  Object.fromEntries(
    ['x-api-key', 'authorization'].flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );

const answerOf = ({ status, body }: OwnAnswer): ToolAnswer => ({
  isError: status >= 400,
  content: typeof body === 'object' && body !== null ? (body as ToolAnswer['content']) : { body },
});
