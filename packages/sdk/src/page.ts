import type { Answered, OperationSpec, PageSpec, Params } from './call.ts';

/** One page of a list. */
export interface Page<Answer, Row> extends Answered<Answer> {
  readonly items: readonly Row[];
  readonly hasNext: boolean;
}

type Ask<Answer> = (params: Params) => Promise<Answered<Answer>>;

/** Awaited, it is the first page's answer; iterated, every row of every page, asked for as they are needed. */
export class PagePromise<Answer, Row> implements PromiseLike<Answer>, AsyncIterable<Row> {
  readonly #ask: Ask<Answer>;
  readonly #spec: PageSpec;
  readonly #params: Params;
  #first: Promise<Answered<Answer>> | undefined;

  constructor(ask: Ask<Answer>, spec: PageSpec, params: Params) {
    this.#ask = ask;
    this.#spec = spec;
    this.#params = params;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a list gives its first page.
  then<A = Answer, B = never>(
    done?: ((answer: Answer) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#firstPage()
      .then(({ data }) => data)
      .then(done, failed);
  }

  /** The first page's answer with its status and headers. */
  withResponse(): Promise<Answered<Answer>> {
    return this.#firstPage();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const page of this.byPage()) yield* page.items;
  }

  /** Page by page. */
  async *byPage(): AsyncGenerator<Page<Answer, Row>, void, undefined> {
    let answered: Answered<Answer> = await this.#firstPage();
    for (;;) {
      const next = nextOf(answered, this.#spec);
      const items = at(answered.data, this.#spec.items);
      yield {
        ...answered,
        items: (Array.isArray(items) ? items : []) as Row[],
        hasNext: next !== undefined,
      };
      if (next === undefined) return;
      answered = await this.#ask({ ...this.#params, [this.#spec.parameter]: next });
    }
  }

  /** All rows, up to a limit that has to be given. */
  async toArray({ limit }: { readonly limit: number }): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const row of this) {
      if (rows.push(row) >= limit) break;
    }
    return rows.slice(0, limit);
  }

  #firstPage(): Promise<Answered<Answer>> {
    this.#first ??= this.#ask(this.#params);
    return this.#first;
  }
}

/** The pages of an operation. */
export const pagesOf = <Answer, Row>(
  spec: OperationSpec,
  params: Params,
  ask: Ask<Answer>,
): PagePromise<Answer, Row> => {
  const page = spec[3]?.page;
  if (!page) throw new TypeError(`${spec[0]} is no list`);
  return new PagePromise(ask, page, params);
};

/** Where the list goes on: the answer says it, or the header `Link`. */
function nextOf(answered: Answered<unknown>, { next, parameter }: PageSpec): unknown {
  const named = next === undefined ? undefined : at(answered.data, next);
  if (named !== undefined && named !== null) return named;
  const link = answered.headers.get('link')?.match(/<([^>]*)>\s*;\s*rel="?next"?/)?.[1];
  if (link === undefined) return undefined;
  return new URL(link, 'http://localhost').searchParams.get(parameter) ?? undefined;
}

const at = (value: unknown, path: string): unknown =>
  path === ''
    ? value
    : path
        .split('.')
        .reduce<unknown>(
          (inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name],
          value,
        );
