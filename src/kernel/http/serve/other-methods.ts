import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AppError, fail } from '#kernel/error.ts';
import { CHANGING } from '#kernel/http/answer/handler-call.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import { allMatches, allPaths, findRoutes, type RouteTree, treeOf, wordsOf } from './route-tree.ts';

const REFUSED = new Set(['GET', 'HEAD', 'OPTIONS', ...CHANGING]);

export type RefuseMethod = (request: FastifyRequest, reply: FastifyReply) => AppError | undefined;

/**
 * Refuses a method that a path does not have with 405 and those that it has, in the path's own envelope; nothing
 * where there is no such path. It is asked of requests that no route has, so that no route has to be made for it.
 */
export function createRefuseMethod(routes: readonly Route[]): RefuseMethod {
  let root: RouteTree | undefined;
  return (request, reply) => {
    const { method, url } = request;
    if (!REFUSED.has(method) || !url.startsWith(`${API_PREFIX}/`)) return undefined;
    const [path = ''] = url.slice(API_PREFIX.length).split('?', 1);
    root ??= treeOf(routes);
    const [first, ...others] = findRoutes(root, wordsOf(path)) ?? [];
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
  const root = treeOf(routes);
  return allPaths(root).flatMap(({ path, same }) => {
    const own = methodsOf(same);
    const [route] = same;
    const beside = allMatches(root, path).filter((other) => !same.includes(other));
    const methods = methodsOf(beside).filter((method) => !own.includes(method));
    return route && methods.length > 0 ? [{ route, methods }] : [];
  });
}
