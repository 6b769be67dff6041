import {
  type Answered,
  ApiPromise,
  type CallOptions,
  type OperationSpec,
  type Params,
} from './call.ts';
import { AuthenticationError } from './errors.ts';
import type { ExactlyOnce, exactlyOnceOf, RecoverOptions, Store } from './once.ts';
import { type PagePromise, pagesOf } from './page.ts';
import { requestOf } from './request.ts';
import type { Calls } from './resource.ts';
import { type Call, type Connection, type Logger, send } from './send.ts';
import { EventStream, type StreamOptions } from './stream.ts';
import { API_VERSION } from './types.generated.ts';

export interface ArchipayOptions {
  /** The application's key; default `ARCHIPAY_API_KEY` of the environment. */
  readonly apiKey?: string;
  /** The token of a log-in; default `ARCHIPAY_TOKEN`. */
  readonly token?: string;
  /** Where the service is, with or without `/api`; default `ARCHIPAY_URL`, or this machine's port 3000. */
  readonly baseUrl?: string;
  readonly version?: string;
  /** After the first try; default 2. */
  readonly maxRetries?: number;
  /** Milliseconds for each try; default 60,000. */
  readonly timeout?: number;
  readonly fetch?: typeof fetch;
  /** Gets a line for each try, without bodies, keys and tokens. */
  readonly logger?: Logger;
  /** Keeps what moves money, so that a call is made once although the program may end in the middle of it. */
  readonly exactlyOnce?: Store;
  /** An application's key in a browser can be read by everybody there. */
  readonly dangerouslyAllowBrowser?: boolean;
}

/** Sends the calls of all resources. */
export class Caller implements Calls {
  readonly #options: ArchipayOptions;
  readonly #connection: Connection;
  readonly #once: ExactlyOnce | undefined;

  /** `exactlyOnce` comes with `Archipay`: a page that has one resource, and no disk, is smaller without it. */
  constructor(options: ArchipayOptions = {}, onceOf?: typeof exactlyOnceOf) {
    const env = environment();
    const apiKey = options.apiKey ?? env['ARCHIPAY_API_KEY'];
    const token = options.token ?? env['ARCHIPAY_TOKEN'];
    if (apiKey !== undefined && !options.dangerouslyAllowBrowser && isBrowser()) {
      throw new AuthenticationError(
        'A page must not have the application’s key: everybody could read it. Call from your server, or set dangerouslyAllowBrowser',
        { code: 'KEY_IN_BROWSER' },
      );
    }
    const base = (options.baseUrl ?? env['ARCHIPAY_URL'] ?? 'http://localhost:3000').replace(
      /\/+$/,
      '',
    );
    this.#options = options;
    this.#connection = {
      url: base.endsWith('/api') ? base : `${base}/api`,
      headers: {
        ...(apiKey !== undefined && { 'x-api-key': apiKey }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        'archipay-version': options.version ?? API_VERSION,
      },
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      maxRetries: options.maxRetries ?? 2,
      timeout: options.timeout ?? 60_000,
      logger: options.logger,
    };
    const { exactlyOnce: store } = options;
    if (store && !onceOf) throw new TypeError('exactlyOnce needs the class Archipay');
    this.#once = store && onceOf?.(store, { apiKey, token });
  }

  /** The same client in the name of a person. */
  as(token: string): this {
    const Own = this.constructor as new (options: ArchipayOptions) => this;
    return new Own({ ...this.#options, token });
  }

  /** Finishes what an earlier run of the program has left open in the store of `exactlyOnce`, of this client's person. */
  recover(options: RecoverOptions = {}): Promise<number> {
    if (!this.#once) return Promise.reject(new TypeError('recover needs exactlyOnce'));
    return this.#once.recover((call) => send(this.#connection, call), options);
  }

  /** Any request to the API, by method and path. */
  request<Answer = unknown>(
    method: string,
    path: string,
    { body, ...options }: CallOptions & { readonly body?: object } = {},
  ): ApiPromise<Answer> {
    const upper = method.toUpperCase();
    const spec: OperationSpec = [`${upper} ${path}`, upper, path, { raw: body !== undefined }];
    return this._call(spec, body === undefined ? {} : { body }, options);
  }

  /** @internal */
  _call<Answer>(spec: OperationSpec, params: Params, options?: CallOptions): ApiPromise<Answer> {
    return ApiPromise.of(this.#sent<Answer>(spec, params, options));
  }

  /** @internal */
  _page<Answer, Row>(
    spec: OperationSpec,
    params: Params,
    options?: CallOptions,
  ): PagePromise<Answer, Row> {
    return pagesOf(spec, params, (asked) => this.#sent<Answer>(spec, asked, options));
  }

  /** @internal */
  _stream(spec: OperationSpec, params: Params, options?: StreamOptions): EventStream {
    return new EventStream(this.#connection, requestOf(spec, params), options);
  }

  #sent<Answer>(
    spec: OperationSpec,
    params: Params,
    options: CallOptions = {},
  ): Promise<Answered<Answer>> {
    const sent = (call: Call) => send<Answer>(this.#connection, call);
    const call = { spec, params, options };
    const isPlain = !spec[3]?.money || options.dryRun;
    return isPlain || !this.#once
      ? sent(call)
      : (this.#once.run(call, sent) as Promise<Answered<Answer>>);
  }
}

const isBrowser = (): boolean => 'window' in globalThis && 'document' in globalThis;

const environment = (): Readonly<Record<string, string | undefined>> =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {};
