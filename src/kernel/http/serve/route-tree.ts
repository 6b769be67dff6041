import type { Route } from '#kernel/http/declare/route.ts';

/** What there is at one path, in the words of the router: the same for parameters of any name. */
export interface RouteTree {
  readonly words: Map<string, RouteTree>;
  any?: RouteTree;
  readonly routes: Route[];
}

const emptyTree = (): RouteTree => ({ words: new Map(), routes: [] });
const isParameter = (word: string): boolean => word.startsWith('{');

export function treeOf(routes: readonly Route[]): RouteTree {
  const root = emptyTree();
  for (const route of routes) {
    let at = root;
    for (const word of wordsOf(route.id.split(' ')[1] ?? '')) at = step(at, word);
    at.routes.push(route);
  }
  return root;
}

function step(at: RouteTree, word: string): RouteTree {
  if (isParameter(word)) {
    at.any ??= emptyTree();
    return at.any;
  }
  const next = at.words.get(word) ?? emptyTree();
  at.words.set(word, next);
  return next;
}

/** No endpoint has more parts: further ones are not looked at, since an address may have thousands. */
const PARTS_MAX = 16;

/** The parts of a path; one more than `PARTS_MAX` where there are more. */
export const wordsOf = (path: string): string[] => path.split('/', PARTS_MAX + 2).slice(1);

/** As the router looks: by the word itself, else by what stands for any. */
export function findRoutes(
  at: RouteTree,
  [word, ...rest]: readonly string[],
): readonly Route[] | undefined {
  if (word === undefined) return at.routes.length > 0 ? at.routes : undefined;
  const named = at.words.get(word);
  const found = named && findRoutes(named, rest);
  return found ?? (at.any && word !== '' ? findRoutes(at.any, rest) : undefined);
}

/** All routes, where any of the parameters on the way could match. */
export function allMatches(at: RouteTree, [word, ...rest]: readonly string[]): readonly Route[] {
  if (word === undefined) return at.routes;
  const named = isParameter(word) ? undefined : at.words.get(word);
  return [named, at.any].flatMap((next) => (next ? allMatches(next, rest) : []));
}

interface SharedPath {
  readonly path: string[];
  readonly same: readonly Route[];
}

/** Each path that there is, with its routes. */
export function allPaths(at: RouteTree, path: readonly string[] = []): SharedPath[] {
  const own = at.routes.length > 0 ? [{ path: [...path], same: at.routes }] : [];
  const below = [...at.words].flatMap(([word, next]) => allPaths(next, [...path, word]));
  return [...own, ...below, ...(at.any ? allPaths(at.any, [...path, '{}']) : [])];
}
