import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { callHttp, done, NOT_CONFIGURED, type Outcome, unknown } from '#kernel/provider-call.ts';
import type { LanguageModel, ModelAnswer } from './port.ts';
import { spoken, systemText } from './prompt.ts';
import { generate, type Server } from './sdk.ts';
import { WireModels } from './wire.ts';

export interface LanguageModelSettings {
  /** `https://api.openai.com/v1` */
  url(): string;
  /** Empty for a server without keys. */
  readonly key: string;
  readonly model: string;
  /** `schema` for a server that takes a JSON schema, `object` for one that only answers JSON. */
  readonly json?: 'schema' | 'object';
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 20_000;
const PROBE_MS = 5_000;
/** Models that think before they answer count that in. */
const PROPOSAL_TOKENS = 2_000;
const SAYING_TOKENS = 400;

/** Speaks to any server with OpenAI's chat API, by the AI SDK (decisions: 0048). */
export function languageModel(settings: LanguageModelSettings): LanguageModel {
  const { url, key, model, json = 'schema', timeoutMs = TIMEOUT_MS } = settings;
  const server = (): Server => ({
    key,
    model,
    timeoutMs,
    url: url(),
    takesSchema: json === 'schema',
  });
  return {
    async propose<S extends TSchema>(question: Parameters<LanguageModel['propose']>[0], schema: S) {
      const system = systemText(question, schema);
      const turns = spoken(question);
      const answer = await ask(server(), {
        task: question.task,
        system,
        turns,
        schema,
        maxTokens: PROPOSAL_TOKENS,
      });
      // `generate` has checked it by that schema.
      return answer as Outcome<ModelAnswer<Static<S>>>;
    },

    async say({ maxTokens = SAYING_TOKENS, ...question }) {
      const system = systemText(question);
      const turns = spoken(question);
      const answer = await ask(server(), { task: question.task, system, turns, maxTokens });
      return answer as Outcome<ModelAnswer<string>>;
    },

    probe: () => probe(server()),
  };
}

/** Without an address the library would call its own default. */
const ask: typeof generate = async (server, asked) =>
  server.url === '' ? unknown(NOT_CONFIGURED) : generate(server, asked);

async function probe({ url, key, model }: Server): Promise<Outcome<{ readonly model: string }>> {
  if (url === '') return unknown(NOT_CONFIGURED);
  const reply = await callHttp({
    name: 'llm models',
    method: 'GET',
    url: `${url}/models`,
    ...(key !== '' && { headers: { authorization: `Bearer ${key}` } }),
    timeoutMs: PROBE_MS,
  });
  if ('lost' in reply) return unknown(reply.lost);
  if (reply.status !== 200) return unknown(`status ${reply.status}`);
  return Value.Check(WireModels, reply.json)
    ? done({ model })
    : unknown('an answer of another shape');
}
