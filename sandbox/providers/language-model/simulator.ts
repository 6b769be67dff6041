import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Value } from 'typebox/value';
import type { Config } from '#kernel/config/config.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { ChatRequest } from './chat-schema.ts';
import { readAsked } from './rules/asked.ts';
import { answerTo } from './rules/rules.ts';
import { type Answers, createAnswers, sendOwn } from './simulated-answers.ts';

export type ModelCredentials = Pick<Config, 'LLM_KEY' | 'LLM_MODEL'>;

/** Plays a server with OpenAI's chat API, whose model is a set of rules: it needs no network. */
export function modelSimulator({ LLM_KEY: key, LLM_MODEL: model }: ModelCredentials): Simulator {
  const answers = createAnswers();
  return {
    provider: 'llm',
    prefix: '/llm',
    refusal: (_status, code, message) => errorBody(message, { code: code.toLowerCase() }),
    wire(server, world) {
      server.addHook('preHandler', async ({ headers }, reply) => {
        if (key === '' || sameSecret(String(headers.authorization ?? ''), `Bearer ${key}`)) return;
        return problem(reply, 401, 'Incorrect API key provided', { code: 'invalid_api_key' });
      });
      server.get('/v1/models', async () => {
        const shown = { object: 'model', created: 0, owned_by: 'sandbox' };
        const data = [model, reasoningModelOf(model)].map((id) => ({ id, ...shown }));
        return { object: 'list', data };
      });
      completions(server, world, { model, answers });
    },
    controls: answers.controls,
  };
}

interface Model {
  readonly model: string;
  readonly answers: Answers;
}

function completions(server: FastifyInstance, { clock }: World, { model, answers }: Model): void {
  server.post('/v1/chat/completions', async ({ body }, reply) => {
    if (!Value.Check(ChatRequest, body)) return problem(reply, 400, 'Invalid request');
    if (body.model !== model && body.model !== reasoningModelOf(model))
      return problem(reply, 404, `The model ${body.model} does not exist`, {
        code: 'model_not_found',
      });
    if (body.model !== model && body.max_tokens) return problem(reply, 400, NO_MAX_TOKENS, OLD);
    const asked = readAsked(body);
    const wish = answers.take(asked.task);
    if (wish && sendOwn(reply, wish)) return reply;
    const { content, finish_reason } = cut(
      wish?.content ?? answerTo(asked),
      body.max_completion_tokens ?? body.max_tokens ?? undefined,
    );
    const prompt_tokens = body.messages.reduce((sum, said) => sum + PER_MESSAGE + tokens(said), 0);
    const completion_tokens = tokens(content);
    const head = { id: `chatcmpl-${randomUUID()}`, created: clock.seconds(), model: body.model };
    if (body.stream) return stream(reply, head, { content, finish_reason });
    return {
      ...head,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content, refusal: null },
          logprobs: null,
          finish_reason,
        },
      ],
      usage: {
        prompt_tokens,
        completion_tokens,
        total_tokens: prompt_tokens + completion_tokens,
      },
    };
  });
}

/** The one that thinks before it answers, and that takes no `max_tokens`. */
const reasoningModelOf = (model: string): string => `${model}-reasoning`;

const NO_MAX_TOKENS =
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
const OLD = { code: 'unsupported_parameter', param: 'max_tokens' };

interface Generated {
  readonly content: string;
  readonly finish_reason: string;
}

/** The answer word by word, as server-sent events. */
function stream(reply: FastifyReply, head: object, { content, finish_reason }: Generated) {
  const chunk = (delta: object, ended: string | null = null) =>
    `data: ${JSON.stringify({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason: ended }],
    })}\n\n`;
  const words = content.split(/(?<=\s)/).map((word) => chunk({ content: word }));
  const events = [chunk({ role: 'assistant', content: '' }), ...words, chunk({}, finish_reason)];
  return reply.type('text/event-stream').send(`${events.join('')}data: [DONE]\n\n`);
}

/** What it costs to say who speaks. */
const PER_MESSAGE = 4;

/** A word, four letters of a longer one, or a mark: about as the usual vocabularies cut. */
const PIECE = /\p{L}{1,4}|\p{N}{1,3}|[^\s\p{L}\p{N}]/gu;

const piecesOf = (said: string | object): RegExpExecArray[] => [
  ...(typeof said === 'string' ? said : JSON.stringify(said)).matchAll(PIECE),
];
const tokens = (said: string | object): number => piecesOf(said).length;

function cut(content: string, most = Number.POSITIVE_INFINITY) {
  const next = piecesOf(content)[most];
  return next === undefined
    ? { content, finish_reason: 'stop' }
    : { content: content.slice(0, next.index), finish_reason: 'length' };
}

interface Details {
  readonly code?: string | null;
  readonly param?: string | null;
}

const errorBody = (message: string, { code = null, param = null }: Details = {}) => ({
  error: { message, type: 'invalid_request_error', param, code },
});
const problem = (reply: FastifyReply, status: number, message: string, details?: Details) =>
  reply.code(status).send(errorBody(message, details));
