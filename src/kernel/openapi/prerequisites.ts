import type { Route } from '../http/declare/route.ts';
import type { Vocabulary } from './vocabulary.ts';

/** By field, the operation that must come first; one that no field needs stands under `before`. */
export type Prerequisites = Readonly<Record<string, string>>;

interface Fields {
  readonly properties?: object;
  readonly required?: readonly string[];
}

/**
 * The origins of values that no example can have, since they belong to a user or are made once.
 * Each origin is an operation, shown as its address, or words.
 */
export function prerequisiteFinder(
  routes: readonly Route[],
  origins: Vocabulary['origins'],
): (route: Route) => Prerequisites {
  const addresses = new Map<string, string>(
    routes.map(({ id, endpoint }) => [endpoint.name, `\`${id}\``]),
  );
  const shownOrigin = (origin: string): string => {
    const address = addresses.get(origin);
    if (address === undefined && /^\w+\.\w+$/.test(origin) && routes.length > 1)
      throw new Error(`No operation is called ${origin}`);
    return address ?? origin;
  };
  return ({ endpoint: { name, params, query, body } }) => {
    const fields = [params, query, body].flatMap((schema) => (schema as Fields)?.required ?? []);
    const places = [['before', name], ...fields.map((field) => [field, `${name}.${field}`])];
    return Object.fromEntries(
      places.flatMap(([field = '', place = '']) => {
        const [, origin] = origins.find(([pattern]) => pattern.test(place)) ?? [];
        return origin === undefined ? [] : [[field, shownOrigin(origin)]];
      }),
    );
  };
}

/** As a sentence of its operation's description. */
export function describePrerequisites({ before, ...fields }: Prerequisites): string | undefined {
  const parts = Object.entries(fields).map(([field, origin]) => `\`${field}\` from ${origin}`);
  if (before !== undefined) parts.unshift(before);
  return parts.length === 0 ? undefined : `**Needs first**: ${parts.join('; ')}.`;
}
