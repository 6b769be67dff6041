import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { lowered } from '#kernel/http/declare/earlier.ts';
import type { EnvelopeFacts } from '#kernel/http/declare/envelope.ts';
import { toAppError } from '#kernel/http/declare/faults.ts';
import { Download } from '#kernel/http/declare/file-bytes.ts';
import { Html } from '#kernel/http/declare/html.ts';
import { countedNext, countsPages, type Next, nextPageLink } from '#kernel/http/declare/page.ts';
import {
  type AnyEndpoint,
  At,
  at,
  Paged,
  type Route,
  Stream,
  WithCookie,
} from '#kernel/http/declare/route.ts';
import { holdsSecret } from '#kernel/http/declare/secret.ts';
import { headersOfPage, SHOWN_HEADERS } from '#kernel/http/declare/security-headers.ts';
import { serialize } from '#kernel/http/declare/serialize.ts';
import { type Clock, isoPrinter } from '../../clock.ts';
import type { DB } from '../../db/schema.generated.ts';
import type { CeilingShares } from '../../quota/shares.ts';
import { transact } from '../../transact.ts';
import { csvSender, wantsCsv } from './csv-answer.ts';
import { sendDownload } from './download.ts';
import { type DryRunDeps, dryRunnerOf, isDryRun } from './dry-run-answer.ts';
import { CHANGING, HandlerCall, handlingOf } from './handler-call.ts';
import type { Histories } from './histories.ts';
import type { Claim, Idempotency, StoredAnswer } from './idempotency.ts';
import { keyedRequestOf } from './keyed-request.ts';
import type { Limits } from './limits.ts';
import { type PaidWork, paidWorkOf } from './paid-work.ts';
import { carry, carryAlways, headerLines } from './ready-answer.ts';
import { beginStream } from './stream.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the page that answers it, where they are not those of all pages. */
    page_headers?: Record<string, string>;
  }
}

interface AnswerDeps extends DryRunDeps {
  readonly clock: Clock;
  readonly idempotency: Idempotency;
  readonly limits: Limits;
  readonly histories: Histories;
  readonly shares: Pick<CeilingShares, 'enter'>;
  publicUrl(): string;
}

/** Gives the answer to a request, or rejects with the error to be sent instead. */
export type Answerer = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

const JSON_TYPE = 'application/json; charset=utf-8';
const iso = isoPrinter();

/**
 * Runs the handler and renders what it answers. With an `Idempotency-Key` the answer is stored too, in
 * the same transaction where the endpoint is atomic; one that may hold a secret is sealed for its caller.
 */
export function answererOf(route: Route, deps: AnswerDeps): Answerer {
  const answer = jsonAnswererOf(route, deps);
  const answerAsCsv = csvAnswererOf(route, deps);
  if (!answerAsCsv) return answer;
  return (request, reply) => {
    if (!wantsCsv(request)) return answer(request, reply);
    // A table has the columns of the newest version.
    request.earlier = undefined;
    return answerAsCsv(request, reply);
  };
}

function jsonAnswererOf(route: Route, deps: AnswerDeps): Answerer {
  const { db, idempotency, histories } = deps;
  const { endpoint } = route;
  const render = rendererOf(route, deps);
  const paidWork = paidWorkOf(route, deps.limits);
  const work = workOf(route, deps, { render, paidWork });
  const handle = handlingOf(route);
  const noted = notingOf(route, histories);
  const rehearsed = dryRunnerOf(route, deps, {
    render,
    envelopeOf: (asked) => envelopeOf(asked, deps),
  });
  const tellsSecrets = holdsSecret(endpoint.reply);
  const takesKeys = endpoint.bytes === undefined;
  const read = endpoint.history
    ? historyReader(route, histories)
    : (request: FastifyRequest) => noted(request, handle(new HandlerCall(request, db)));
  return (request, reply) => {
    if (rehearsed && isDryRun(request))
      return rehearsed(request, reply).then((answer) => send(reply, answer));
    const key =
      takesKeys && !request.byte_stream && CHANGING.has(request.method)
        ? request.headers['idempotency-key']
        : undefined;
    if (key !== undefined) return answerOnce(key, request, reply);
    if (endpoint.atomic || paidWork)
      return noted(request, work(request, reply)).then((rendered) => send(reply, rendered));
    // The same as `work`, for most requests, with a promise less.
    return read(request).then((answer) => {
      if (answer instanceof Stream) return beginStream(reply, answer);
      if (answer instanceof Download) return sendDownload(reply, answer);
      return send(reply, render(answer, request, reply));
    });
  };

  async function answerOnce(
    key: string | string[],
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const opensAgain = tellsSecrets && endpoint.neverRepeated === undefined;
    const claim = await idempotency.claim(keyedRequestOf(key, request, opensAgain));
    // Of a repetition it is not known whether the first was noted: its process may have ended in between.
    if ('payload' in claim)
      return noted(request, Promise.resolve(claim)).then((answer) =>
        sendAgain(request, reply, answer),
      );
    try {
      send(reply, await noted(request, work(request, reply, claim)));
    } catch (error) {
      await settleFailure(deps, { route, request, claim, error });
      throw error;
    }
  }
}

type Renderer = ReturnType<typeof rendererOf>;

/** Runs the handler and renders its answer, in one transaction with what is kept of it where that may be. */
function workOf(
  route: Route,
  { db, idempotency }: AnswerDeps,
  { render, paidWork }: { render: Renderer; paidWork: PaidWork | undefined },
) {
  const { endpoint } = route;
  const handle = handlingOf(route);
  const tellsSecrets = holdsSecret(endpoint.reply);
  return (request: FastifyRequest, reply: FastifyReply, claim?: Claim) => {
    const operation = claim?.operation ?? randomUUID();
    const within = async (tx: Kysely<DB>): Promise<StoredAnswer> => {
      const answer = await handle(new HandlerCall(request, tx, operation));
      const rendered = render(answer, request, reply);
      const { cookie } = answer instanceof WithCookie ? answer : {};
      const stored = cookie === undefined ? rendered : { ...rendered, cookie };
      if (claim && tellsSecrets) await idempotency.keepSealed(tx, claim, stored);
      else if (claim) await idempotency.keep(tx, claim, rendered);
      return rendered;
    };
    const run = () => (endpoint.atomic ? transact(db, within) : within(db));
    return paidWork ? paidWork.run(request, reply, run) : run();
  };
}

type Noted = <T>(request: FastifyRequest, answer: Promise<T>) => Promise<T>;

/** Before a change is answered, also with an error, it is noted that the caller has to see it (decisions: 0060). */
function notingOf({ id, endpoint }: Route, { changed }: Histories): Noted {
  const isChanging = CHANGING.has(id.split(' ', 1)[0] ?? '') || endpoint.once === true;
  if (!changed || !isChanging) return (_request, answer) => answer;
  return (request, answer) => answer.finally(() => changed(request.caller));
}

/** Of a history a page, read from wherever the caller's own changes can be seen. */
const historyReader = (route: Route, histories: Histories) => {
  const handle = handlingOf(route);
  return (request: FastifyRequest, query?: object): Promise<unknown> =>
    histories.read(request.caller, (from) =>
      handle(new HandlerCall(request, from, undefined, query)),
    );
};

/** Of a list that is a table, too: each page is asked of the handler as if it had been asked for by itself. */
function csvAnswererOf(route: Route, deps: AnswerDeps): Answerer | undefined {
  const { endpoint } = route;
  if (endpoint.csv === undefined) return undefined;
  const { db } = deps;
  const handle = handlingOf(route);
  const page = endpoint.history
    ? historyReader(route, deps.histories)
    : (request: FastifyRequest, query: object) =>
        handle(new HandlerCall(request, db, undefined, query));
  const render = rendererOf(route, deps);
  const sendCsv = csvSender(endpoint, deps);
  return (request, reply) =>
    sendCsv(request, reply, async (query) => {
      const answer = await page(request, query);
      const { payload } = render(answer, request, reply);
      return { body: JSON.parse(payload), next: nextOf(answer, endpoint) };
    });
}

function renderPage({ status, text, options }: Html, reply: FastifyReply): StoredAnswer {
  const { location, frames, style, type = 'text/html' } = options;
  if (location !== undefined) reply.header('location', location);
  if (frames ?? style) reply.request.page_headers = headersOfPage(options);
  return { status, type: `${type}; charset=utf-8`, payload: text };
}

/** Nothing is returned: a reply is a thenable, and its receiver would wait for it. */
function send(reply: FastifyReply, { status, type, payload }: StoredAnswer): void {
  const { page_headers } = reply.request;
  if (page_headers) carry(reply, 'guard', headerLines(page_headers));
  else if (type !== JSON_TYPE) carryAlways(reply, 'guard', SHOWN_HEADERS);
  reply.code(status).type(type).send(payload);
}

function sendAgain(request: FastifyRequest, reply: FastifyReply, answer: StoredAnswer): void {
  request.replayed = true;
  if (answer.cookie !== undefined) reply.header('set-cookie', answer.cookie);
  send(reply.header('idempotent-replayed', 'true'), answer);
}

/** Dresses what a handler returned and serializes it by the declared reply. */
function rendererOf({ endpoint, envelope }: Route, deps: Pick<AnswerDeps, 'clock' | 'publicUrl'>) {
  const usual = Math.min(...Object.keys(endpoint.reply).map(Number));
  const isCounted = countsPages(endpoint.query);
  return (answered: unknown, request: FastifyRequest, reply: FastifyReply): StoredAnswer => {
    const answer = answered instanceof WithCookie ? answered.body : answered;
    if (answered instanceof WithCookie) reply.header('set-cookie', answered.cookie);
    if (answer instanceof Html) return renderPage(answer, reply);
    const given = answer instanceof Paged ? answer.body : answer;
    const next = isCounted ? countedNext(given) : pagedNext(answer, given);
    if (next) reply.header('link', nextPageLink(deps.publicUrl(), request.url, next));
    const { status, body } = given instanceof At ? given : at(usual, given);
    const dressed = Array.isArray(body)
      ? body
      : envelope.success(body as object, envelopeOf(request, deps));
    const shape = endpoint.reply[status] as Record<string, unknown>;
    const payload = serialize(reply, shape, dressed as Record<string, unknown>);
    const { earlier } = request;
    const sent = earlier ? lowered(reply, earlier, { status, payload }) : payload;
    return { status, type: JSON_TYPE, payload: sent };
  };
}

/** What the request for the next page says; nothing on the last one. */
function nextOf(answer: unknown, { query }: Pick<AnyEndpoint, 'query'>): Next | undefined {
  if (!countsPages(query)) return pagedNext(answer, answer instanceof Paged ? answer.body : answer);
  return countedNext(answer instanceof Paged ? answer.body : answer);
}

/** Of a list that goes on by a number, or by the cursor that its data names. */
function pagedNext(answer: unknown, body: unknown): Next | undefined {
  if (answer instanceof Paged) return answer.next === null ? undefined : { before: answer.next };
  const { data } = (body ?? {}) as { readonly data?: { readonly next_cursor?: unknown } | null };
  const cursor = data?.next_cursor;
  return typeof cursor === 'string' ? { cursor } : undefined;
}

const envelopeOf = (
  request: FastifyRequest,
  { clock, publicUrl }: Pick<AnswerDeps, 'clock' | 'publicUrl'>,
): EnvelopeFacts => ({
  at: iso(clock.ms()),
  requestId: request.id,
  publicUrl,
});

interface Failure {
  readonly route: Route;
  readonly request: FastifyRequest;
  readonly claim: Claim;
  readonly error: unknown;
}

/** What the caller did wrong stays answered; what we did wrong may be tried again. */
async function settleFailure(
  deps: Omit<AnswerDeps, 'limits' | 'histories'>,
  { route, request, claim, error }: Failure,
): Promise<void> {
  const { idempotency, db } = deps;
  const known = toAppError(error, route);
  // The same call is repeated with a proof, under the same key.
  const isToProve = known.code === 'STEP_UP_REQUIRED';
  const undecided = known.status >= 500 || known.status === 429 || isToProve;
  const release = async () => {
    if (await idempotency.release(claim)) return;
    const facts = { reqId: request.id, route: route.id };
    request.log.warn(facts, 'An Idempotency-Key could not be given back yet');
  };
  // The answer exists only here, so it is sent also when the key is not free yet.
  if (undecided || known.code === 'IDEMPOTENCY_IN_PROGRESS') return release();
  const answer = {
    status: known.status,
    type: JSON_TYPE,
    payload: JSON.stringify(route.envelope.error(known, envelopeOf(request, deps))),
  };
  await idempotency.keep(db, claim, answer).catch(async (lost: unknown) => {
    await release();
    throw lost;
  });
}
