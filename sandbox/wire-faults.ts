import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxFault } from './faults.ts';
import type { Simulator, World } from './simulator.ts';

type Mounted = Pick<Simulator, 'provider' | 'refusal'>;

/** Answered instead of the provider, whatever was asked of it: status, code, and words. */
const ANSWERED = {
  throttle: [429, 'RATE_LIMIT_EXCEEDED', 'Too many requests'],
  unauthorized: [401, 'UNAUTHORIZED', 'The credentials have expired'],
  forbidden: [403, 'FORBIDDEN', 'This address may not call'],
  maintenance: [503, 'MAINTENANCE', 'Planned maintenance'],
  html: [502, 'BAD_GATEWAY', 'Bad gateway'],
  'refuse-with': [400, 'REFUSED', 'Refused by a control'],
} as const;
type Answered = keyof typeof ANSWERED;

/** In the way of a request that the provider works on. */
const SPOILING = [
  ...(['drop', 'error', 'commit-then-drop'] as const),
  ...(['slow-body', 'other-shape', 'stale-list', 'early-callback'] as const),
] as const;
type Spoiling = (typeof SPOILING)[number];

/**
 * Lets a provider's own endpoints fail as networks, servers and providers do, when `POST /faults` asks.
 *
 * What spoils a request is settled when it arrives. One that waits would otherwise wake when its caller
 * is long gone and use up what was armed for a later one.
 */
export function misbehave(scope: FastifyInstance, mounted: Mounted, world: World): void {
  const { faults } = world;
  const { provider } = mounted;
  const spoiled = new WeakMap<FastifyRequest, SandboxFault>();
  const kindOf = (request: FastifyRequest) => spoiled.get(request)?.kind as Spoiling | undefined;

  scope.addHook('onRequest', async (request, reply) => {
    const delay = faults.take(provider, 'delay');
    const isRefused = faults.take(provider, 'refuse') !== undefined;
    const answered = isRefused
      ? undefined
      : faults.take(provider, ...(Object.keys(ANSWERED) as Answered[]));
    const fault = isRefused || answered ? undefined : takeFor(request);
    if (fault) spoiled.set(request, fault);
    if (delay) await wait(delay.ms, undefined, { ref: false });
    if (isRefused) cut(request, reply);
    return answered && answer(reply, mounted, answered);
  });
  scope.addHook('preHandler', async (request, reply) => {
    const kind = kindOf(request);
    if (kind === 'drop') cut(request, reply);
    if (kind === 'error') return reply.code(500).send(failure(mounted));
  });
  scope.addHook('onSend', async (request, reply, payload) => {
    const fault = spoiled.get(request);
    // The work is done; only its answer gets lost, or is not what it should be.
    if (fault?.kind === 'commit-then-drop') request.raw.socket.destroy();
    if (fault?.kind === 'early-callback')
      await Promise.race([world.callbacks.idle(), after(fault)]);
    if (fault === undefined || typeof payload !== 'string') return payload;
    return changed(reply, fault, payload);
  });

  /** Lists are only read. */
  function takeFor({ method }: FastifyRequest): SandboxFault | undefined {
    const kinds = SPOILING.filter((kind) => kind !== 'stale-list' || method === 'GET');
    return faults.take(provider, ...kinds);
  }
}

const after = ({ ms }: SandboxFault) => wait(ms, undefined, { ref: false });

function answer(reply: FastifyReply, { refusal = plain }: Mounted, fault: SandboxFault) {
  const { kind, retry_after, status, code } = fault;
  const [usual, word, message] = ANSWERED[kind as Answered];
  reply.code(status ?? usual);
  if (retry_after !== undefined) reply.header('retry-after', String(retry_after));
  if (kind === 'html' || kind === 'maintenance')
    return reply.type('text/html').send(`<html><body><h1>${message}</h1></body></html>`);
  return reply.send(refusal(status ?? usual, code ?? word, message));
}

/** In the provider's own form where it has one. */
const failure = ({ refusal }: Mounted): object => {
  const error = 'Internal server error';
  return refusal ? refusal(500, 'INTERNAL_SERVER_ERROR', error) : { error };
};

const plain = (_status: number, code: string, message: string) => ({ error: message, code });

/** The answer as that fault lets it arrive. */
function changed(reply: FastifyReply, { kind, ms }: SandboxFault, payload: string) {
  if (kind === 'other-shape') return withLength(reply, '{"unexpected":true}');
  if (kind === 'stale-list') return withLength(reply, JSON.stringify(emptied(JSON.parse(payload))));
  if (kind !== 'slow-body') return payload;
  reply.removeHeader('content-length');
  return Readable.from(slowly(payload, ms));
}

function withLength(reply: FastifyReply, payload: string): string {
  reply.header('content-length', Buffer.byteLength(payload));
  return payload;
}

/** Lists without what was just made: none has anything in it. */
function emptied(answer: unknown): unknown {
  if (Array.isArray(answer)) return [];
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [name, Array.isArray(value) ? [] : value]),
  );
}

/** Half of it at once, the rest when the time is over. */
async function* slowly(payload: string, ms: number): AsyncGenerator<string> {
  const half = Math.floor(payload.length / 2);
  yield payload.slice(0, half);
  await wait(ms, undefined, { ref: false });
  yield payload.slice(half);
}

function cut(request: FastifyRequest, reply: { hijack(): unknown }): void {
  reply.hijack();
  request.raw.socket.destroy();
}
