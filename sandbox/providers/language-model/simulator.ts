import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Value } from 'typebox/value';
import type { Config } from '#kernel/config/config.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import { WireCompletion } from '#providers/language-model/wire.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
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
    wire(server, world) {
      server.addHook('preHandler', async ({ headers }, reply) => {
        if (key === '' || sameSecret(String(headers.authorization ?? ''), `Bearer ${key}`)) return;
        return problem(reply, 401, 'Incorrect API key provided');
      });
      server.get('/v1/models', async () => {
        const data = [{ id: model, object: 'model', created: 0, owned_by: 'sandbox' }];
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
    if (!Value.Check(WireCompletion, body)) return problem(reply, 400, 'Invalid request');
    if (body.model !== model) return problem(reply, 404, `The model ${body.model} does not exist`);
    if (body.stream === true) return problem(reply, 400, 'The sandbox does not stream');
    const asked = readAsked(body);
    const wish = answers.take(asked.task);
    if (wish && sendOwn(reply, wish)) return reply;
    const { content, finish_reason } = cut(wish?.content ?? answerTo(asked), body.max_tokens);
    const prompt_tokens = body.messages.reduce((sum, said) => sum + PER_MESSAGE + tokens(said), 0);
    const completion_tokens = tokens(content);
    return {
      id: `chatcmpl-${randomUUID()}`,
      object: 'chat.completion',
      created: clock.seconds(),
      model,
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason }],
      usage: {
        prompt_tokens,
        completion_tokens,
        total_tokens: prompt_tokens + completion_tokens,
      },
    };
  });
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

const problem = (reply: FastifyReply, status: number, message: string) =>
  reply.code(status).send({
    error: { message, type: 'invalid_request_error', param: null, code: null },
  });
