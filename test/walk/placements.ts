import type { Operation } from './operations.ts';

/** One request, as sent. */
export interface Placed {
  readonly path: string;
  readonly search: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The ids of another user's things, and plausible values for all other fields, by field name. */
export interface Ids {
  readonly foreign: Readonly<Record<string, string | number>>;
  readonly own: Readonly<Record<string, string | number>>;
  readonly filled: (operation: Operation) => {
    readonly params: Record<string, unknown>;
    readonly query: Record<string, unknown>;
    readonly body: Record<string, unknown>;
  };
}

type Place = (operation: Operation, ids: Ids) => Placed;

/**
 * The foreign ids wherever the declaration takes ids of that name, and the caller's own elsewhere.
 */
const inPlace = (
  operation: Operation,
  ids: Ids,
  over: {
    readonly text?: (value: string) => string;
    readonly query?: (own: string) => string;
    readonly body?: (body: Record<string, unknown>) => unknown;
    readonly raw?: (body: string) => string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly which?: 'foreign' | 'own';
  } = {},
): Placed => {
  const { text = encodeURIComponent, which = 'foreign' } = over;
  const filled = ids.filled(operation);
  const known = (values: Record<string, unknown>) => ({ ...values, ...pick(values, ids[which]) });
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    text(String(known(filled.params)[name])),
  );
  const search = new URLSearchParams(
    Object.entries(known(filled.query)).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
  ).toString();
  const body = known(filled.body);
  const changed = over.body ? over.body(body) : body;
  const json = JSON.stringify(changed);
  return {
    path,
    search: over.query ? over.query(search) : search,
    headers: over.headers ?? {},
    body: operation.body && (over.raw ? over.raw(json) : json),
  };
};

const pick = (
  values: Record<string, unknown>,
  from: Readonly<Record<string, string | number>>,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(from).filter(([name]) => name in values));

const pairs = (ids: Ids['foreign'], write: (name: string, value: string) => string): string =>
  Object.entries(ids)
    .map(([name, value]) => write(encodeURIComponent(name), encodeURIComponent(String(value))))
    .join('&');

/** The same as members of a JSON object, without its braces. */
const members = (ids: Ids['foreign']): string => JSON.stringify(ids).slice(1, -1);

/** The ids in another spelling, where the declaration takes them. */
const written =
  (write: (value: string | number) => unknown): Place =>
  (operation, ids) =>
    inPlace(operation, ids, {
      body: (body) => ({
        ...body,
        ...Object.fromEntries(
          Object.entries(pick(body, ids.foreign)).map(([name, value]) => [
            name,
            write(value as string),
          ]),
        ),
      }),
    });

const inText =
  (write: (value: string) => string): Place =>
  (operation, ids) =>
    inPlace(operation, ids, { text: write });

/** Beside one's own ids, in undeclared places. */
const beside =
  (write: (ids: Ids) => Parameters<typeof inPlace>[2]): Place =>
  (operation, ids) =>
    inPlace(operation, ids, { which: 'own', ...write(ids) });

const headers = (names: readonly string[]): Place =>
  beside(({ foreign }) => ({
    headers: Object.fromEntries(names.map((name) => [name, String(foreign['user_id'])])),
  }));

/** The ways in which a caller may name others' things. The first is the regular one. */
export const PLACEMENTS: Readonly<Record<string, Place>> = {
  'in its place': (operation, ids) => inPlace(operation, ids),
  'as text': written(String),
  'as a number with a fraction': written((value) => Number(value) || value),
  'in a list': written((value) => [value]),
  'in a list after the own': written((value) => [1, value]),
  'in an object': written((value) => ({ $eq: value })),
  'with spaces around': written((value) => ` ${value} `),
  'with a leading zero': inText((value) => `0${value}`),
  'with a plus': inText((value) => `%2B${value}`),
  'with every digit encoded': inText((value) =>
    [...value].map((c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
  ),
  'in wide digits': inText((value) =>
    encodeURIComponent(value.replace(/\d/g, (d) => String.fromCharCode(0xff10 + Number(d)))),
  ),
  'with a NUL': inText((value) => `${encodeURIComponent(value)}%00`),
  'with a matrix parameter': inText((value) => `1;id=${encodeURIComponent(value)}`),
  'behind a step back': inText((value) => `1%2f..%2f${encodeURIComponent(value)}`),
  'in a range': inText((value) => `1,${encodeURIComponent(value)}`),
  'as an exponent': inText((value) => `${encodeURIComponent(value)}e0`),
  'in the query before': beside(({ foreign }) => ({
    query: (own) => `${pairs(foreign, (name, value) => `${name}=${value}`)}&${own}`,
  })),
  'in the query after': beside(({ foreign }) => ({
    query: (own) => `${own}&${pairs(foreign, (name, value) => `${name}=${value}`)}`,
  })),
  'in the query as a list': beside(({ foreign }) => ({
    query: (own) => `${own}&${pairs(foreign, (name, value) => `${name}[]=${value}`)}`,
  })),
  'in the query as an object': beside(({ foreign }) => ({
    query: (own) => `${own}&${pairs(foreign, (name, value) => `${name}[id]=${value}`)}`,
  })),
  'in the query in capitals': beside(({ foreign }) => ({
    query: (own) => `${own}&${pairs(foreign, (name, value) => `${name.toUpperCase()}=${value}`)}`,
  })),
  'in the body besides': beside(({ foreign }) => ({ body: (body) => ({ ...foreign, ...body }) })),
  'in the body before the own': beside(({ foreign }) => ({
    raw: (body) => `{${members(foreign)}${body === '{}' ? '' : ','}${body.slice(1)}`,
  })),
  'in the body after the own': beside(({ foreign }) => ({
    raw: (body) => `${body.slice(0, -1)}${body === '{}' ? '' : ','}${members(foreign)}}`,
  })),
  'in the body in an escaped name': beside(({ foreign }) => ({
    raw: (body) =>
      `${body.slice(0, -1)}${body === '{}' ? '' : ','}${members(foreign).replace('_id', '\\u005fid')}}`,
  })),
  'in the body one level down': beside(({ foreign }) => ({
    body: (body) => ({ ...body, data: foreign, user: foreign, where: foreign }),
  })),
  'in the body’s prototype': beside(({ foreign }) => ({
    raw: (body) =>
      `${body.slice(0, -1)}${body === '{}' ? '' : ','}"__proto__":${JSON.stringify(foreign)}}`,
  })),
  'in headers of proxies': headers([
    'x-user-id',
    'x-client-id',
    'x-forwarded-user',
    'x-on-behalf-of',
  ]),
  'by another method': beside(() => ({
    headers: { 'x-http-method-override': 'DELETE', 'x-method-override': 'PATCH' },
  })),
  'by another address': beside(({ foreign }) => ({
    headers: {
      'x-original-url': `/api/users/${foreign['user_id']}`,
      'x-rewrite-url': `/api/users/${foreign['user_id']}`,
    },
  })),
};
