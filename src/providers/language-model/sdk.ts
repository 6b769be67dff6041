import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { storable } from '#kernel/http/declare/wire.ts';
import { countTokens } from '#kernel/outside-metrics.ts';
import {
  callHttp,
  done,
  type Outcome,
  type ProviderReply,
  refused,
  unknown,
} from '#kernel/provider-call.ts';
import type { ModelAnswer, ModelTurn, TokenUsage } from './port.ts';
import { WireUnsupported } from './wire.ts';

export interface Generation {
  readonly task: string;
  readonly system: string;
  readonly turns: readonly ModelTurn[];
  readonly maxTokens: number;
  /** The shape of the answer, where it is to be JSON. */
  readonly schema?: TSchema;
}

export interface Server {
  /** `https://api.openai.com/v1` */
  readonly url: string;
  readonly key: string;
  readonly model: string;
  readonly timeoutMs: number;
  /** Whether the server takes a JSON schema, or only knows that JSON is wanted. */
  readonly takesSchema: boolean;
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>;
let loaded: Promise<Sdk> | undefined;

/** Both libraries, at the first question: most processes never ask one. */
async function loadSdk() {
  // What it would print says which model was asked for what.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const [ai, compatible] = await Promise.all([import('ai'), import('@ai-sdk/openai-compatible')]);
  return { ...ai, ...compatible };
}

/** The call got no answer; why, in the machine's words. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/**
 * Asks once and reads the answer. Of what the library throws only the kind and the status are kept: its
 * errors hold the whole conversation.
 */
export async function generate(
  server: Server,
  asked: Generation,
): Promise<Outcome<ModelAnswer<unknown>>> {
  loaded ??= loadSdk();
  const sdk = await loaded;
  try {
    const result = await sdk.generateText({
      model: modelOf(sdk, server, asked),
      system: asked.system,
      messages: [...asked.turns],
      maxOutputTokens: asked.maxTokens,
      maxRetries: 0,
      telemetry: { isEnabled: false },
      ...(asked.schema && { output: outputOf(sdk, asked, asked.schema) }),
    });
    if (result.finishReason === 'content-filter') return refused('MODEL_REFUSED', REFUSED);
    const value: unknown = asked.schema ? result.output : result.text.trim();
    if (value === '' || !storable(value)) return refused(INVALID, MISFIT);
    return done({ value, usage: counted(result.usage) });
  } catch (error) {
    return outcomeOfError(sdk, error);
  }
}

const INVALID = 'MODEL_ANSWER_INVALID';
const MISFIT = 'The model’s answer does not fit';
const REFUSED = 'The model refused';

function modelOf(sdk: Sdk, server: Server, { task }: Generation) {
  const { url, key, model, takesSchema, timeoutMs } = server;
  const provider = sdk.createOpenAICompatible({
    name: 'llm',
    baseURL: url,
    ...(key !== '' && { apiKey: key }),
    supportsStructuredOutputs: takesSchema,
    fetch: async (input, init) => fetchBounded(task, timeoutMs, String(input), init),
  });
  return sdk.wrapLanguageModel({
    model: provider.chatModel(model),
    // Many a model thinks aloud first, or puts a fence around its JSON.
    middleware: [sdk.extractReasoningMiddleware({ tagName: 'think' }), sdk.extractJsonMiddleware()],
  });
}

/**
 * By our own client, which follows nowhere and bounds time and size. OpenAI's newer models refuse `max_tokens`, which the
 * library writes, and other servers know nothing else: a refusal for that name is answered with the newer one.
 */
async function fetchBounded(task: string, timeoutMs: number, url: string, init: RequestInit = {}) {
  const ask = (body: string) =>
    callHttp({
      name: `llm ${task}`,
      method: 'POST',
      url,
      headers: Object.fromEntries(new Headers(init.headers)),
      body,
      timeoutMs,
    });
  const body = String(init.body);
  const first = await ask(body);
  const reply = refusesLimit(first) ? await ask(withNewLimit(body)) : first;
  if ('lost' in reply) throw new NoAnswer(reply.lost);
  return new Response(reply.text, {
    status: reply.status,
    headers: { 'content-type': 'application/json' },
  });
}

const refusesLimit = (reply: ProviderReply): boolean =>
  'status' in reply && reply.status === 400 && Value.Check(WireUnsupported, reply.json);

function withNewLimit(body: string): string {
  const { max_tokens: max_completion_tokens, ...rest } = JSON.parse(body);
  return JSON.stringify({ ...rest, max_completion_tokens });
}

function outputOf(sdk: Sdk, { task }: Generation, schema: TSchema) {
  const shape = sdk.jsonSchema<unknown>(schema as object, {
    validate(value) {
      const kept = Value.Clean(schema, value);
      if (Value.Check(schema, kept)) return { success: true, value: kept };
      return { success: false, error: new Error(MISFIT) };
    },
  });
  return sdk.Output.object({ schema: shape, name: task });
}

/** What says that nothing will ever come is a refusal; after anything else the same may do well. */
function outcomeOfError(sdk: Sdk, error: unknown): Outcome<never> {
  const lost = NoAnswer.name === nameOf(error) ? (error as Error).message : undefined;
  if (lost !== undefined) return unknown(lost);
  if (!sdk.APICallError.isInstance(error)) return refused(INVALID, MISFIT);
  const { statusCode: status } = error;
  if (status === undefined || status < 200) return unknown('no status');
  if (status < 300) return refused(INVALID, MISFIT);
  if (status < 400 || status >= 500 || LATER.includes(status)) return unknown(`status ${status}`);
  return refused('MODEL_REFUSED', `Status ${status}`, status);
}

/** Too slow, and too many: neither says anything about the question. */
const LATER = [408, 429];

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

interface Counted {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly totalTokens: number | undefined;
}

/** Also counts them: they are what is paid for. */
function counted(usage: Counted): TokenUsage {
  countTokens({ input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0 });
  return usageOf(usage);
}

function usageOf({ inputTokens, outputTokens, totalTokens }: Counted): TokenUsage {
  const [prompt_tokens, completion_tokens] = [count(inputTokens), count(outputTokens)];
  const total = count(totalTokens);
  const total_tokens = total === 0 ? prompt_tokens + completion_tokens : total;
  return { prompt_tokens, completion_tokens, total_tokens };
}

/** A server may say anything. */
const count = (tokens: number | undefined): number =>
  tokens !== undefined && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0;
