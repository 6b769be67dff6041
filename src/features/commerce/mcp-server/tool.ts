import type { RouteId } from '#kernel/http/declare/route.ts';

/** What a tool is called with, by name. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A tool is an endpoint of the API under a name that a model understands. */
export interface Tool {
  /** What it does and when to use it, for the model. */
  readonly description: string;
  readonly endpoint: RouteId;
  /** Fields of the endpoint that are the caller's own id, and not the model's to choose. */
  readonly own?: readonly string[];
  /** Fields that the tool does not offer. */
  readonly without?: readonly string[];
  /** The tool only reads, though its endpoint takes a body. */
  readonly looks?: true;
  /** The tool moves money: the sentence that the person agrees to first. */
  readonly asks?: (given: Arguments, about: Arguments) => string;
  /** The tool that reads the subject of that sentence, by the same arguments: the person sees what the service knows. */
  readonly about?: string;
  /** Arguments of that tool which have another name in this one. */
  readonly aboutBy?: Readonly<Record<string, string>>;
  /** Fields that the endpoint may do without, and this tool may not. */
  readonly needs?: readonly string[];
  /** Only our own agent calls it, which confirms in its own words and keeps secret words from models. */
  readonly agentOnly?: true;
}

type Details = Omit<Tool, 'endpoint' | 'asks' | 'looks'>;

export const reads = (path: `/${string}`, details: Details): Tool => ({
  ...details,
  endpoint: `GET ${path}`,
});
/** Looks something up, by an endpoint that takes a body. */
export const asks = (path: `/${string}`, details: Details): Tool => ({
  ...details,
  endpoint: `POST ${path}`,
  looks: true,
});
export const writes = (path: `/${string}`, details: Details): Tool => ({
  ...details,
  endpoint: `POST ${path}`,
});
/** Moves money, so the person confirms first. */
export const pays = (
  path: `/${string}`,
  details: Details & { asks(given: Arguments, about: Arguments): string },
): Tool => ({ ...details, endpoint: `POST ${path}` });
/** A step that our own agent takes, after its user has agreed where money moves. */
export const steps = (
  method: 'GET' | 'POST' | 'PATCH',
  path: `/${string}`,
  details: Details,
): Tool => ({
  ...details,
  endpoint: `${method} ${path}`,
  agentOnly: true,
});

/** An argument in a sentence. */
export const word = (given: Arguments, name: string): string => String(given[name] ?? '');

/** The words of others, which may say anything, in quotes and cut. */
export const inQuotes = (text: string): string => JSON.stringify(text.slice(0, 100));
