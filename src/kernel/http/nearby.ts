import { nearestOf } from '../nearest.ts';
import { API_PREFIX } from './prefix.ts';
import type { Route } from './route.ts';

/** The endpoint that somebody meant who asked for an address that does not exist, where one is near. */
export function nearbyFinder(routes: readonly Route[]) {
  let known: Known | undefined;
  return (method: string, url: string): string => {
    known ??= knownOf(routes);
    const [path = ''] = url.split('?', 1);
    const asked = meantBy(path);
    const id = findMeant(known, method, asked);
    if (id) return `Did you mean ${id.replace(' ', ` ${API_PREFIX}`)}?`;
    return `There is no ${method} ${path.slice(0, PATH_MAX)}. All of the API is below ${API_PREFIX}, without a version or a slash at the end; the reference lists it.`;
  };
}

/** Longer ones are none of ours. */
const PATH_MAX = 200;

interface Known {
  readonly rows: readonly { readonly id: string; readonly pattern: RegExp }[];
  /** The words of paths, by which a misspelt one is found. */
  readonly words: ReadonlySet<string>;
}

function knownOf(routes: readonly Route[]): Known {
  const rows = routes.map(({ id }) => ({ id, pattern: patternOf(id) }));
  const words = rows.flatMap(({ id }) => id.split('/').slice(1));
  return { rows, words: new Set(words.filter((word) => !word.startsWith('{'))) };
}

const patternOf = (id: string): RegExp => new RegExp(`^${id.replace(/\{\w+\}/g, '[^/]+')}$`);

/** The path without what people put around it. */
const meantBy = (path: string): string =>
  path
    .slice(0, PATH_MAX)
    .replace(/\/+/g, '/')
    .replace(/^\/(?:api\/)?(?:v\d+\/)?/i, '/')
    .replace(/\/$/, '');

/** As it is written, with words put right, or by another method. */
function findMeant({ rows, words }: Known, method: string, path: string): string | undefined {
  const isAsked = (asked: string) => rows.find(({ pattern }) => pattern.test(asked))?.id;
  const [, ...parts] = path.split('/');
  const mended = parts.map((part) => (words.has(part) ? part : nearestOf(part, words)) ?? part);
  const paths = [path, `/${mended.join('/')}`];
  for (const each of paths) {
    const same = isAsked(`${method} ${each}`);
    if (same) return same;
  }
  return paths
    .map(
      (each) => rows.find(({ pattern }) => METHODS.some((m) => pattern.test(`${m} ${each}`)))?.id,
    )
    .find(Boolean);
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
