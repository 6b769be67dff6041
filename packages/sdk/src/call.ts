import type { DryRun } from './types.generated.ts';

/** An operation as the generated classes name it. */
export type OperationSpec = readonly [
  name: string,
  method: string,
  path: string,
  extras?: {
    /** Names of values that belong to the query although there is a body. */
    readonly query?: readonly string[];
    /** `params.body` is sent as it is. */
    readonly raw?: boolean;
    readonly answer?: 'text' | 'bytes';
    readonly money?: boolean;
    /** Its values are not to be stored. */
    readonly secret?: boolean;
    readonly page?: PageSpec;
  },
];

export interface PageSpec {
  readonly parameter: string;
  readonly items: string;
  readonly next?: string;
}

export type Params = object;

export interface CallOptions {
  /** Of a changing call: the same key with the same values does it once. Made by itself where it is not given. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /** Milliseconds for each try. */
  readonly timeout?: number;
  readonly maxRetries?: number;
  /** The version of the API, instead of that of this package. */
  readonly version?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The token of a person in whose name this one call is made. */
  readonly token?: string;
  /** Answers what the call would do, and does nothing. */
  readonly dryRun?: boolean;
}

/** What a call answers that may be a dry run. */
export type Reply<Answer, O> = ApiPromise<
  O extends { readonly dryRun: true }
    ? DryRun
    : O extends { readonly dryRun: boolean }
      ? DryRun | Answer
      : Answer
>;

/** An answer with its head. */
export interface Answered<Answer> {
  readonly data: Answer;
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | undefined;
  /** The answer of an earlier call under the same key. */
  readonly replayed: boolean;
  /** Under which the call was sent. */
  readonly idempotencyKey: string | undefined;
  /** Fields that the service does not know and has left out. */
  readonly ignoredFields: readonly string[];
}

/** The answer of a call; `withResponse` has its head, too. */
export class ApiPromise<Answer> extends Promise<Answer> {
  #answered: Promise<Answered<Answer>> | undefined;

  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** A call that is under way. */
  static of<Answer>(answered: Promise<Answered<Answer>>): ApiPromise<Answer> {
    const promise = new ApiPromise<Answer>((resolve, reject) => {
      answered.then(({ data }) => resolve(data), reject);
    });
    promise.#answered = answered;
    return promise;
  }

  /** The answer with its status, headers and request id. */
  withResponse(): Promise<Answered<Answer>> {
    if (!this.#answered) return Promise.reject(new TypeError('This promise is not of a call'));
    // The promise of the answer alone fails with the same error, which is heard here.
    this.catch(() => undefined);
    return this.#answered;
  }
}
