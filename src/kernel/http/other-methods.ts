import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AppError, fail } from './error.ts';
import { CHANGING } from './handler-call.ts';
import { API_PREFIX } from './prefix.ts';
import type { Route } from './route.ts';

/** What there is at one path, in the words of the router: the same for parameters of any name. */
interface Place {
  readonly words: Map<string, Place>;
  any?: Place;
  readonly routes: Route[];
}

const REFUSED = new Set(['GET', 'HEAD', ...CHANGING]);
const emptyPlace = (): Place => ({ words: new Map(), routes: [] });
const wordsOf = (path: string): string[] => path.split('/').slice(1);
const isParameter = (word: string): boolean => word.startsWith('{');

export type RefuseMethod = (request: FastifyRequest, reply: FastifyReply) => AppError | undefined;

/**
 * Refuses a method that a path does not have with 405 and those that it has, in the path's own family; nothing
 * where there is no such path. It is asked of requests that no route has, so that no route has to be made for it.
 */
export function createRefuseMethod(routes: readonly Route[]): RefuseMethod {
  let root: Place | undefined;
  return (request, reply) => {
    const { method, url } = request;
    if (!REFUSED.has(method) || !url.startsWith(`${API_PREFIX}/`)) return undefined;
    const [path = ''] = url.slice(API_PREFIX.length).split('?', 1);
    root ??= placesOf(routes);
    const [first, ...others] = find(root, wordsOf(path)) ?? [];
    if (!first) return undefined;
    request.route = first;
    const all = methodsOf([first, ...others]).join(', ');
    reply.header('allow', all);
    return fail('METHOD_NOT_ALLOWED', 'Method not allowed', {
      hint: `There is no ${method} here. Use ${all}.`,
    });
  };
}

/** Those that it answers, with HEAD where that is made of GET. */
export function methodsOf(same: readonly Route[]): string[] {
  const methods = new Set(same.map(({ id }) => id.split(' ')[0] ?? ''));
  const once = same.some(({ endpoint }) => endpoint.once);
  if (methods.has('GET') && !once) methods.add('HEAD');
  return [...methods];
}

/**
 * Routes whose path another one hides from some methods: `PUT /users/users` would be the user of that name. Each with
 * the methods to refuse there.
 */
export function hiddenMethods(routes: readonly Route[]): { route: Route; methods: string[] }[] {
  const root = placesOf(routes);
  return allPlaces(root).flatMap(({ path, same }) => {
    const own = methodsOf(same);
    const [route] = same;
    const beside = allMatches(root, path).filter((other) => !same.includes(other));
    const methods = methodsOf(beside).filter((method) => !own.includes(method));
    return route && methods.length > 0 ? [{ route, methods }] : [];
  });
}

function placesOf(routes: readonly Route[]): Place {
  const root = emptyPlace();
  for (const route of routes) {
    let at = root;
    for (const word of wordsOf(route.id.split(' ')[1] ?? '')) at = step(at, word);
    at.routes.push(route);
  }
  return root;
}

function step(at: Place, word: string): Place {
  if (isParameter(word)) {
    at.any ??= emptyPlace();
    return at.any;
  }
  const next = at.words.get(word) ?? emptyPlace();
  at.words.set(word, next);
  return next;
}

/** As the router looks: by the word itself, else by what stands for any. */
function find(at: Place, [word, ...rest]: readonly string[]): readonly Route[] | undefined {
  if (word === undefined) return at.routes.length > 0 ? at.routes : undefined;
  const named = at.words.get(word);
  const found = named && find(named, rest);
  return found ?? (at.any && word !== '' ? find(at.any, rest) : undefined);
}

/** Whatever any of the parameters on the way could be taken for. */
function allMatches(at: Place, [word, ...rest]: readonly string[]): readonly Route[] {
  if (word === undefined) return at.routes;
  const named = isParameter(word) ? undefined : at.words.get(word);
  return [named, at.any].flatMap((next) => (next ? allMatches(next, rest) : []));
}

function allPlaces(at: Place, path: readonly string[] = []): { path: string[]; same: Route[] }[] {
  const own = at.routes.length > 0 ? [{ path: [...path], same: at.routes }] : [];
  const below = [...at.words].flatMap(([word, next]) => allPlaces(next, [...path, word]));
  return [...own, ...below, ...(at.any ? allPlaces(at.any, [...path, '{}']) : [])];
}
