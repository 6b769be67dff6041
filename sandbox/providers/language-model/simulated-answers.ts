import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { text } from '#kernel/http/declare/schema.ts';

const MIB = 1024 * 1024;

const Wish = Type.Object({
  /** Only answers to that task; any, where it is not named. */
  task: Type.Optional(text(64)),
  /** Word for word what the model says, whatever it was asked: a model that somebody has turned. */
  content: Type.Optional(Type.String({ maxLength: 100_000 })),
  /** Instead of an answer. */
  status: Type.Optional(Type.Integer({ minimum: 300, maximum: 599 })),
  /** The whole reply, JSON or not. */
  body: Type.Optional(Type.String({ maxLength: 100_000 })),
  /** As many bytes of an answer. */
  bytes: Type.Optional(Type.Integer({ minimum: 1, maximum: 16 * MIB })),
  /** One byte after another, each as many milliseconds later. */
  drip_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
});
export type AnswerRequest = Static<typeof Wish>;

export interface Answers {
  /** Uses one up that was asked for, for that task. */
  take(task: string): AnswerRequest | undefined;
  controls(server: FastifyInstance): void;
}

/** `POST /llm/answers`: what the model says next, instead of what its rules say. `DELETE`: as usual. */
export function createAnswers(): Answers {
  let wishes: AnswerRequest[] = [];
  return {
    take(task) {
      const found = wishes.find((wish) => wish.task === undefined || wish.task === task);
      if (found === undefined) return undefined;
      const left = { ...found, times: (found.times ?? 1) - 1 };
      wishes = wishes.flatMap((wish) => (wish !== found ? [wish] : left.times > 0 ? [left] : []));
      return found;
    },
    controls(server) {
      server.get('/llm/answers', async () => wishes);
      server.delete('/llm/answers', async () => {
        wishes = [];
        return wishes;
      });
      server.post<{ Body: AnswerRequest }>(
        '/llm/answers',
        { schema: { body: Wish } },
        async ({ body }, reply) => {
          wishes = [...wishes, body];
          return reply.code(201).send(body);
        },
      );
    },
  };
}

/** Whether that wish is an answer of its own, which has been sent then. */
export function sendOwn(
  reply: FastifyReply,
  { status, body, bytes, drip_ms }: AnswerRequest,
): boolean {
  const json = reply.type('application/json');
  if (drip_ms !== undefined) void json.send(Readable.from(dripping(drip_ms)));
  else if (bytes !== undefined) void json.send(`{"choices":"${'x'.repeat(bytes)}"}`);
  else if (status !== undefined)
    void json.code(status).send(body ?? '{"error":{"message":"Asked for by a control"}}');
  else if (body !== undefined) void json.send(body);
  else return false;
  return true;
}

/** Longer than anybody waits. */
const DRIPS = 100_000;

async function* dripping(ms: number): AsyncGenerator<string> {
  for (let drip = 0; drip < DRIPS; drip += 1) {
    yield ' ';
    await wait(ms, undefined, { ref: false });
  }
}
