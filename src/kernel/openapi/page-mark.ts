import type { TSchema } from 'typebox';
import type { AnyEndpoint } from '../http/declare/route.ts';

/** How a program reads a list to its end, as `x-archipay-page`. */
export interface PageMark {
  /** `cursor`, `before` and `after` name a place; `offset` and `page` count. */
  readonly kind: PageKind;
  /** The parameter of the next request. */
  readonly parameter: PageKind;
  /** Where the rows stand in the answer; the answer itself is the list where it is empty. */
  readonly items: string;
  /** Where the answer has what the parameter takes next; null where only the header `Link` says it. */
  readonly next: string | null;
}

const KINDS = ['cursor', 'before', 'after', 'offset', 'page'] as const;
type PageKind = (typeof KINDS)[number];

/** Of an endpoint whose query has a place to go on from; nothing of a stream, which goes on by itself. */
export function pageMarkOf(endpoint: AnyEndpoint): PageMark | undefined {
  const { name, query, reply, csv, stream } = endpoint;
  const asked = fieldsOf(query);
  const kind = KINDS.find((one) => one in asked);
  if (kind === undefined || stream) return undefined;
  const fields = pathsOf(reply[200], '');
  // Where the answer has other lists beside its rows it declares them later.
  const items = csv ?? fields.find(({ schema }) => holdsObjects(schema))?.path;
  if (items === undefined) throw new Error(`${name} has pages of nothing`);
  const next = fields.find(({ path }) => path.split('.').at(-1) === `next_${kind}`)?.path ?? null;
  return { kind, parameter: kind, items, next };
}

interface Placed {
  readonly path: string;
  readonly schema: Shape;
}
interface Shape {
  readonly type?: unknown;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
}

const fieldsOf = (schema: TSchema | undefined): Readonly<Record<string, Shape>> =>
  (schema as Shape | undefined)?.properties ?? {};

const holdsObjects = ({ type, items }: Shape): boolean =>
  type === 'array' && [items, ...(items?.anyOf ?? [])].some((item) => item?.type === 'object');

/** The schema and its fields, at any depth but within lists. */
const pathsOf = (schema: TSchema | Shape | undefined, path: string): readonly Placed[] => [
  { path, schema: (schema ?? {}) as Shape },
  ...Object.entries(fieldsOf(schema as TSchema | undefined)).flatMap(([name, field]) =>
    pathsOf(field, path === '' ? name : `${path}.${name}`),
  ),
];
