import type { RouteId } from '#kernel/http/declare/route.ts';

/** What a tool is called with, by name. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A tool is an endpoint of the API under a name that a model understands. */
export interface Tool {
  readonly name: string;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  readonly endpoint: RouteId;
  /** Fields of the endpoint that are the caller's own id, and not the model's to choose. */
  readonly own?: readonly string[];
  /** Fields that the tool does not offer. */
  readonly without?: readonly string[];
  /** It only looks, though its endpoint takes a body. */
  readonly looks?: true;
  /** It moves money: what the person is asked before it does. */
  readonly asks?: (given: Arguments, about: Arguments) => string;
  /** Where what the question is about is read, by the arguments: the person sees what the service knows. */
  readonly about?: `/${string}`;
}

type Wish = Omit<Tool, 'endpoint' | 'asks' | 'looks'>;

export const reads = (path: `/${string}`, wish: Wish): Tool => ({
  ...wish,
  endpoint: `GET ${path}`,
});
/** Looks something up, by an endpoint that takes a body. */
export const asks = (path: `/${string}`, wish: Wish): Tool => ({
  ...wish,
  endpoint: `POST ${path}`,
  looks: true,
});
export const writes = (path: `/${string}`, wish: Wish): Tool => ({
  ...wish,
  endpoint: `POST ${path}`,
});
/** Moves money, so the person is asked first. */
export const pays = (
  path: `/${string}`,
  wish: Wish & { asks(given: Arguments, about: Arguments): string },
): Tool => ({ ...wish, endpoint: `POST ${path}` });
