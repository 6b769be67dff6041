import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import type { AppError, Code } from '#kernel/error.ts';
import type { Db } from '../../db/db.ts';
import type { ApiKey } from './api-key.ts';
import { type Creates, takingNames } from './caller-names.ts';
import type { EarlierEndpoint } from './earlier.ts';
import type { Envelope } from './envelope.ts';
import type { Download, FileBody } from './file-bytes.ts';
import type { Html } from './html.ts';
import type { Outlet } from './outlet.ts';
import type { TeamMark, TeamRole } from './team-mark.ts';
import type { BodyKind } from './wire.ts';

/**
 * P, K, J and A of the contract; `rewards` is J with the rewards app's own token. `either` takes the
 * log-in token, and without one the key.
 */
export type Auth = 'public' | 'key' | 'user' | 'admin' | 'rewards' | 'either';

export interface KeyCaller {
  readonly key: ApiKey;
}
export interface UserCaller {
  /** How they came in; missing where the service itself goes on in a user's name. */
  readonly via?: 'key' | 'console';
  /** Null where the endpoint asks for the log-in token only, and at the console. */
  readonly key: ApiKey | null;
  readonly user_id: number;
  readonly client_id: number;
  readonly role: 'user' | 'admin';
  /** What an admin is in their team; missing for users, and where the service goes on in an admin's name. */
  readonly team_role?: TeamRole | undefined;
  /** An admin of the platform operator's client, who reaches every client. */
  readonly operator: boolean;
  readonly session_id: string;
  /** The account is being closed: what moves money is refused. */
  readonly closing?: boolean;
}
export interface RewardsCaller {
  readonly key: ApiKey;
  readonly userx_id: number;
  readonly session_id: string;
}
/** On public endpoints credentials are optional, and ignored. */
export type Caller<A extends Auth> = {
  public: null;
  key: KeyCaller;
  user: UserCaller;
  admin: UserCaller;
  rewards: RewardsCaller;
  either: KeyCaller | UserCaller;
}[A];

/** Success bodies by status, as the contract prints them. What a schema does not name is not sent. */
export type Replies = Readonly<Record<number, TSchema>>;

/** A body for a status other than the lowest declared: `return at(206, { ... })`. */
export class At<S extends number, B> {
  readonly status: S;
  readonly body: B;
  constructor(status: S, body: B) {
    this.status = status;
    this.body = body;
  }
}
export const at = <S extends number, B>(status: S, body: B): At<S, B> => new At(status, body);

/** A page of a list that goes on: `Link` says where, which is before `next`. Null on the last page. */
export class Paged<B> {
  readonly body: B;
  readonly next: number | string | null;
  constructor(body: B, next: number | string | null) {
    this.body = body;
    this.next = next;
  }
}

/** An answer that sets a cookie. It is set again with a repetition, so its reply is marked `secret`, and sealed. */
export class WithCookie<B> {
  readonly body: B;
  readonly cookie: string;
  constructor(body: B, cookie: string) {
    this.body = body;
    this.cookie = cookie;
  }
}

/** The envelope supplies `success` and `timestamp`, so handlers never write them. */
type Body<T> = T extends readonly unknown[] ? T : Omit<T, 'success' | 'timestamp'>;
export type Answer<R extends Replies> =
  | Body<Static<R[keyof R & number]>>
  | { [S in keyof R & number]: At<S, Body<Static<R[S]>>> }[keyof R & number]
  | Paged<Body<Static<R[keyof R & number]>>>
  | WithCookie<Body<Static<R[keyof R & number]>>>
  | Html
  | Stream
  | Download;

/** An answer without an end: what is said as it comes, until either side ends it. */
export class Stream {
  readonly begin: (out: Outlet) => void;
  constructor(begin: (out: Outlet) => void) {
    this.begin = begin;
  }
}

export interface RequestFacts {
  readonly id: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as they came, which have been proven: only where the endpoint is `signed`. */
  readonly raw: Buffer;
  /** The body as it arrives: only where the endpoint takes `bytes`. */
  readonly bytes?: Readable | undefined;
}

export interface Call<A extends Auth, P, Q, B> {
  readonly caller: Caller<A>;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly request: RequestFacts;
  /** The request's own transaction where the endpoint is `atomic`, the pool otherwise. */
  readonly db: Db;
  /**
   * A UUID that names this operation: the same one again when a caller repeats an `Idempotency-Key`
   * after a crash. What a handler starts outside the database is known by it.
   */
  readonly operation: string;
}

export interface Endpoint<
  A extends Auth,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends Replies,
> {
  /** What a client calls it: `cards.topUp`, the thing and what is done with it. */
  readonly name: OperationName;
  readonly auth: A;
  /** One sentence for the API reference. */
  readonly summary: string;
  /** What else a caller should know. */
  readonly description?: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly reply: R;
  /** What of its body the examples of the fields would not show. */
  readonly example?: Partial<Static<B>>;
  /** What it refuses beside what follows from the rest of its declaration (see `codesOf`). */
  readonly errors?: readonly DeclaredError[];
  /**
   * Money leaves, comes in or is promised by it, or it decides where that goes: a field of its body that is not
   * known, at any depth, is UNKNOWN_FIELD before anything is done, for a misspelt one may be the one that counts.
   */
  readonly movesMoney?: true;
  /** The same of a POST that the contract does not have: without an Idempotency-Key it is refused. */
  readonly requiresKey?: true;
  /** It makes a thing that takes its caller's `reference` and `metadata` (`caller-names.ts`). */
  readonly creates?: Creates;
  /** Runs in one transaction, in which an idempotent answer is stored too. Nothing external then. */
  readonly atomic?: boolean;
  /**
   * A list or a history that only reads, and only from the `db` that it is called with: it may be answered
   * by a replica, of a moment ago (decisions: reads from a replica).
   */
  readonly history?: boolean;
  /** That it will go, from when on it should not be used, and what to use instead. */
  readonly deprecated?: Deprecated;
  /** How it was asked and answered in earlier versions of the API, the newest first. */
  readonly earlier?: readonly EarlierEndpoint[];
  /** The log-in token is enough; the API key is optional. */
  readonly keyOptional?: boolean;
  /** An access token of a connected app opens it, without a key; what is refused says where apps are let in. */
  readonly opensToApps?: true;
  /** Where in its answer the rows of a list are, as `data.transactions`: that is there as a table, too. */
  readonly csv?: string;
  /** The handler may answer a `Stream`: server-sent events. */
  readonly stream?: boolean;
  /** Asking for it uses something up, so that a mere HEAD, as scanners of mail send it, is refused. */
  readonly once?: boolean;
  /** It ends the log-in of its token: a repetition with the same token still gets in. */
  readonly endsLogIn?: true;
  /** Its answer is kept for no repetition of a key, not even sealed for its caller. */
  readonly neverRepeated?: true;
  /**
   * What is asked of a caller beyond `auth`, such as to be the operator. Throws FORBIDDEN, before anything
   * but the credentials is looked at: a caller who may not do it learns nothing of its form.
   */
  permit?(caller: Caller<A>): void;
  /** What of the team's roles it asks of an admin, and of who made a key; without it it is for owners. */
  readonly team?: TeamMark;
  /**
   * Whether the console's cookie opens it, which it does to what is for admins; `set-up` also before there is
   * a second factor, `proof` with a proof of the last five minutes (decisions: the console).
   */
  readonly console?: boolean | 'set-up' | 'proof';
  /** It opens by key and token to an admin of the operator whose second factor is still to be set up. */
  readonly setUp?: true;
  /** Of the operator's admins it needs a proof of the last five minutes, else STEP_UP_REQUIRED: it is dangerous. */
  readonly proof?: true;
  /** A scope of a key that opens this endpoint by itself, beside those of its area. */
  readonly scope?: string;
  /**
   * A `list` where a list or a page is sent: it may be larger, and only its first fault is
   * reported.
   */
  readonly bodyKind?: BodyKind;
  /** The body is a file, which the handler reads as it arrives. Its bytes show a repetition; no key is looked at. */
  readonly bytes?: FileBody;
  /** Beside JSON the body may be such a file: then `body` is empty, `request.bytes` is there, and no key is looked at. */
  readonly alsoBytes?: FileBody;
  /** Beside JSON the body may be a form of a page of ours, as a browser sends it without script. */
  readonly takesForm?: true;
  /**
   * Whether the bytes, as they came, are proven by what came with them to be their sender's. Asked
   * before anything of them is parsed, which is left to the handler; if they are not, the answer is
   * INVALID_SIGNATURE. The only way for a handler to get at bytes. A promise where the sender's key may
   * have to be fetched first: by a call with a limit, since anybody can cause it.
   */
  readonly signed?: (
    raw: Buffer,
    headers: IncomingHttpHeaders,
    /** Path and query, as they came. */
    path: string,
  ) => boolean | Promise<boolean>;
  /** Which budget it draws on, when not the usual one of its auth (contract: Limits). */
  readonly limit?: LimitClass;
  /** The message for a request that breaks a schema. Default: what it lacks, or its first fault. */
  readonly invalid?: string | ((faults: readonly Fault[]) => AppError);
  /** What an unforeseen exception is called on the wire. */
  readonly fault?: string;
  handler(call: Call<A, Static<P>, Static<Q>, Static<B>>): Promise<Answer<R>>;
}

/** Days in ISO 8601, UTC. `test/deprecations.test.ts` holds each to the policy (decisions: people). */
export interface Deprecated {
  readonly since: string;
  /** When it may go; unless said otherwise it stays. */
  readonly sunset?: string;
  readonly instead: string;
}

export type LimitClass =
  | 'public'
  | 'authenticated'
  | 'upload'
  | 'key-generation'
  | 'key-deletion'
  | 'key-listing';

export interface Fault {
  readonly field: string;
  /** It is required and left out, null or blank. */
  readonly missing: boolean;
  /** What stands there instead; nothing where it is left out. */
  readonly received: unknown;
  readonly message: string;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** A code, with the status in front of it where that is not the code's own: `400 PRICE_CHANGED`. */
export type DeclaredError = Code | `${number} ${Code}`;
export type OperationName = `${string}.${string}`;
export type RouteId = `${Method} /${string}`;
export type AnyEndpoint = Endpoint<Auth, TSchema, TSchema, TSchema, Replies>;

export interface Route {
  /** The row of the contract it answers, spelled as the contract spells it. */
  readonly id: RouteId;
  readonly envelope: Envelope;
  readonly endpoint: AnyEndpoint;
}

/** Fixes the envelope once per feature; each endpoint is then one declaration. */
export const endpoints =
  (envelope: Envelope) =>
  <
    A extends Auth,
    const R extends Replies,
    P extends TSchema = TSchema,
    Q extends TSchema = TSchema,
    B extends TSchema = TSchema,
  >(
    id: RouteId,
    endpoint: Endpoint<A, P, Q, B, R>,
  ): Route => {
    const declared = endpoint as unknown as AnyEndpoint;
    const own = declared.requiresKey ? { ...declared, movesMoney: true as const } : declared;
    return { id, envelope, endpoint: takingNames(own) };
  };
