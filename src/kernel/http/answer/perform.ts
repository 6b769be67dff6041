import type { ErrorObject } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import type { Kysely } from 'kysely';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { fail } from '#kernel/error.ts';
import { toAppError } from '#kernel/http/declare/faults.ts';
import { Html } from '#kernel/http/declare/html.ts';
import {
  At,
  type Auth,
  type Caller,
  Paged,
  type RequestFacts,
  type Route,
  type RouteId,
  type UserCaller,
} from '#kernel/http/declare/route.ts';
import { requestCompiler } from '#kernel/http/declare/wire.ts';
import { refuseWhileClosing } from '../../access/account-closing.ts';
import { allows } from '../../access/authenticator.ts';
import { requireKeyRole, requireTeamRole } from '../../access/team.ts';
import { causedWithNames } from '../../cause.ts';
import type { Db } from '../../db/db.ts';
import type { DB } from '../../db/schema.generated.ts';
import { transact } from '../../transact.ts';
import { dayResolverOf } from './days.ts';
import { namesApart } from './given-names.ts';
import { knownFieldsOf, unknownFieldRefusal } from './known-fields.ts';

/** What is asked of an endpoint in a caller's name. */
export interface PerformRequest {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** The same one again is the same operation. */
  readonly operation: string;
  /** The transaction that it is part of; else it has its own, as the endpoint says. */
  readonly tx?: Db;
}

/** In whose name, and on whose behalf that is asked for. */
export interface OnBehalf {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

/** What the endpoint answers, without what its envelope adds. */
// biome-ignore lint/suspicious/noExplicitAny: the endpoint's schema has checked it.
export type Performed = any;

export interface Perform {
  /**
   * Does what that endpoint does, by its own rules: its schemas, its checks, its errors. A caller without a
   * key is the service itself, which carries on what somebody was let do before.
   */
  (id: RouteId, asker: OnBehalf, wish: PerformRequest): Promise<Performed>;
  /** Throws FORBIDDEN where the caller's key, or role in a team, does not open that endpoint. */
  requireScope(id: RouteId, caller: UserCaller): void;
}

/**
 * Lets one part of the service do in a user's name what that user could have asked for: it can do nothing
 * that there is no endpoint for, and nothing that the endpoint would refuse.
 */
export function createPerform(
  { db }: { readonly db: Kysely<DB> },
  routes: () => readonly Route[],
): Perform {
  let known: ReadonlyMap<string, Route> | undefined;
  const find = (id: RouteId): Route => {
    known ??= new Map(routes().map((route) => [route.id, route]));
    const route = known.get(id);
    if (route === undefined || !OPEN_TO_USERS.has(route.endpoint.auth))
      throw new Error(`${id} is no endpoint for users`);
    return route;
  };
  const requireScope = (id: RouteId, { key, team_role }: UserCaller) => {
    const route = find(id);
    if (key && !allows(key, route))
      throw fail('FORBIDDEN', 'API key lacks the scope for this endpoint');
    if (key) requireKeyRole(route.endpoint, key);
    requireTeamRole(route.endpoint, team_role);
  };
  const perform = async (id: RouteId, { caller, request }: OnBehalf, wish: PerformRequest) => {
    const route = find(id);
    requireScope(id, caller);
    const { endpoint } = route;
    endpoint.permit?.(caller);
    const read = {
      params: valid(route, 'params', endpoint.params, wish.params),
      query: valid(route, 'querystring', endpoint.query, wish.query),
      body: valid(route, 'body', endpoint.body, wish.body),
    };
    await dayResolverOf(endpoint)?.(wish.tx ?? db, caller, read);
    const as = callerOf(endpoint.auth, caller);
    const { body, names } = namesApart(endpoint, read.body, as);
    refuseWhileClosing(endpoint, as);
    const call = { caller: as, request, ...read, body, operation: wish.operation };
    const within = (tx: Db) => causedWithNames(names, () => endpoint.handler({ ...call, db: tx }));
    const given = wish.tx ?? db;
    const answer = endpoint.atomic ? await transact(given, within) : await within(given);
    return shown(route, answer);
  };
  return Object.assign(perform, { requireScope });
}

const OPEN_TO_USERS: ReadonlySet<Auth> = new Set(['user', 'key', 'public']);

/** As an endpoint that asks for less knows its caller. */
function callerOf(auth: Auth, caller: UserCaller): Caller<Auth> {
  if (auth === 'public') return null;
  if (auth === 'user') return caller;
  if (caller.key === null) throw fail('FORBIDDEN', 'This endpoint needs an API key');
  return { key: caller.key };
}

type Validator = ReturnType<FastifySchemaCompiler<object>>;
const compile = requestCompiler({ declaredOnly: true });
const validators = new WeakMap<object, Validator>();

/** A part of the request as the endpoint's schema has it, or the error that it answers instead. */
function valid(
  route: Route,
  part: 'params' | 'querystring' | 'body',
  schema: TSchema | undefined,
  given: unknown = {},
): unknown {
  if (schema === undefined) return undefined;
  let validate = validators.get(schema);
  if (validate === undefined) {
    validate = compile({ schema, method: '', url: '', httpPart: part });
    validators.set(schema, validate);
  }
  // Defaults and plain numbers are written into it.
  const read: unknown = structuredClone(given);
  if (validate(read)) {
    const exact = part === 'body' && route.endpoint.movesMoney;
    const refusal = exact && unknownFieldRefusal(given, knownFieldsOf(schema));
    if (refusal) throw refusal;
    return read;
  }
  const validation = validate.errors as ErrorObject[];
  throw toAppError(Object.assign(new Error(), { validation, validationContext: part }), route);
}

/** As it would be sent: what the reply's schema does not name stays here. */
function shown({ endpoint, id }: Route, answer: unknown): Performed {
  if (answer instanceof Html) throw new Error(`${id} answers with a page`);
  const given = answer instanceof Paged ? answer.body : answer;
  const [lowest] = Object.keys(endpoint.reply)
    .map(Number)
    .toSorted((a, b) => a - b);
  const { status, body } = given instanceof At ? given : { status: lowest, body: given };
  const schema = status === undefined ? undefined : endpoint.reply[status];
  return schema ? Value.Clean(schema, structuredClone(body)) : body;
}
