import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import { nearestOf } from '../../spelling.ts';
import { type RouteTree, treeOf, wordsOf } from './route-tree.ts';

/** The hint for an address that does not exist: the endpoint that its caller meant, where one is near. */
export function addressSuggester(routes: readonly Route[]) {
  let root: RouteTree | undefined;
  return (method: string, url: string): string => {
    root ??= treeOf(routes);
    const path = pathOf(url);
    const id = findMeant(root, method, meantBy(path));
    if (id) return `Did you mean ${id.replace(' ', ` ${API_PREFIX}`)}?`;
    return `There is no ${method} ${path}. All of the API is below ${API_PREFIX}, without a version or a slash at the end; the reference lists it.`;
  };
}

/** Longer ones are none of ours. */
const PATH_MAX = 200;

function pathOf(url: string): string {
  const head = url.slice(0, PATH_MAX);
  const end = head.indexOf('?');
  return end === -1 ? head : head.slice(0, end);
}

/** The path without what people put around it. */
const meantBy = (path: string): string =>
  path
    .replace(/\/+/g, '/')
    .replace(/^\/(?:api\/)?(?:v\d+\/)?/i, '/')
    .replace(/\/$/, '');

/** Places of the tree that one address may lead to: strangers send any number, of the worst shape. */
const VISITS_MAX = 48;

interface Ending {
  readonly routes: readonly Route[];
  /** How many words were put right on the way. */
  readonly mended: number;
}

/** As it is written, with words put right, or by another method: in this order. */
function findMeant(root: RouteTree, method: string, path: string): string | undefined {
  const endings = endingsOf(root, wordsOf(path));
  const asWritten = endings.filter(({ mended }) => mended === 0);
  const all = [asWritten, endings].flatMap((some) => some.flatMap(({ routes }) => routes));
  const same = all.find(({ id }) => id.startsWith(`${method} `));
  return (same ?? all[0])?.id;
}

/** Where the words of a path lead: each as it is, as a parameter, or as the nearest word that there is at its place. */
function endingsOf(root: RouteTree, words: readonly string[]): Ending[] {
  const found: Ending[] = [];
  let visits = 0;
  const visit = (at: RouteTree, depth: number, mended: number): void => {
    visits += 1;
    if (visits > VISITS_MAX) return;
    const word = words[depth];
    if (word === undefined) {
      if (at.routes.length > 0) found.push({ routes: at.routes, mended });
      return;
    }
    const named = at.words.get(word);
    if (named) visit(named, depth + 1, mended);
    if (at.any && word !== '') visit(at.any, depth + 1, mended);
    const meant = named ? undefined : nearestOf(word, at.words.keys());
    const near = meant === undefined ? undefined : at.words.get(meant);
    if (near) visit(near, depth + 1, mended + 1);
  };
  visit(root, 0, 0);
  return found;
}
