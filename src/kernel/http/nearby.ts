import { API_PREFIX } from './prefix.ts';
import type { Route } from './route.ts';

/** The endpoint that somebody meant who asked for an address that does not exist, where one is near. */
export function nearbyFinder(routes: readonly Route[]) {
  let known: { readonly id: string; readonly pattern: RegExp }[] | undefined;
  return (method: string, url: string): string | undefined => {
    known ??= routes.map(({ id }) => ({ id, pattern: patternOf(id) }));
    const [path = ''] = url.split('?', 1);
    const meant = path.slice(0, PATH_MAX).replace(/^\/(?:api\/?)?(?:v\d+\/)?/, '/');
    const asked = `${method} ${meant.replace(/\/+$/, '')}`;
    const found = known.find(({ pattern }) => pattern.test(asked));
    return found && `Did you mean ${found.id.replace(' ', ` ${API_PREFIX}`)}?`;
  };
}

/** Longer ones are none of ours. */
const PATH_MAX = 200;

const patternOf = (id: string): RegExp => new RegExp(`^${id.replace(/\{\w+\}/g, '[^/]+')}$`);
