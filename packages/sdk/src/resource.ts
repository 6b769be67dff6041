import type { ApiPromise, CallOptions, OperationSpec, Params, Reply } from './call.ts';
import type { PagePromise } from './page.ts';
import type { EventStream, StreamOptions } from './stream.ts';

/** What a resource needs of the client. */
export interface Calls {
  _call<Answer>(spec: OperationSpec, params: Params, options?: CallOptions): ApiPromise<Answer>;
  _page<Answer, Row>(
    spec: OperationSpec,
    params: Params,
    options?: CallOptions,
  ): PagePromise<Answer, Row>;
  _stream(spec: OperationSpec, params: Params, options?: StreamOptions): EventStream;
}

/** The operations of one thing. Its own methods begin with a line, so that no operation is called like them. */
export class Resource {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** @internal */
  _call<Answer>(spec: OperationSpec, params: Params, options?: CallOptions): ApiPromise<Answer> {
    return this.#calls._call(spec, params, options);
  }

  /** @internal */
  _reply<Answer, O>(spec: OperationSpec, params: Params, options?: CallOptions): Reply<Answer, O> {
    return this.#calls._call(spec, params, options) as Reply<Answer, O>;
  }

  /** @internal */
  _page<Answer, Row>(
    spec: OperationSpec,
    params: Params,
    options?: CallOptions,
  ): PagePromise<Answer, Row> {
    return this.#calls._page(spec, params, options);
  }

  /** @internal */
  _stream(spec: OperationSpec, params: Params, options?: StreamOptions): EventStream {
    return this.#calls._stream(spec, params, options);
  }
}
