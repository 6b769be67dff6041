import type { Catalogue } from '../events/catalogue.ts';
import { envelope } from '../events/envelope.ts';
import type { AnyEventType } from '../events/event-type.ts';
import type { EarlierShape } from '../events/versions.ts';
import { named } from '../http/declare/named.ts';
import { Json } from '../http/declare/schema.ts';
import type { DocumentParts } from './parts.ts';
import type { DocumentJson } from './plain-schema.ts';

/** What is sent to those who want to hear of it, by type. */
export const webhooksOf = (parts: DocumentParts, catalogue: Catalogue): DocumentJson =>
  Object.fromEntries(
    catalogue.names.map((name) => [name, { post: hookOf(parts, catalogue, name) }]),
  );

function hookOf(parts: DocumentParts, catalogue: Catalogue, name: string): DocumentJson {
  const same = catalogue.of(name);
  const earlier = catalogue.earlier(name);
  const [first] = same;
  const title = name.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
  const content = {
    schema: parts.ref('schemas', `${title}Event`, eventOf(parts, name, [...same, ...earlier])),
    examples: Object.fromEntries([
      ...same.map((type, i) => [`example${i + 1}`, { value: exampleOf(type) }]),
      ...earlier.map((shape) => [
        `version${shape.version}`,
        { value: exampleOf({ ...same[0], ...shape } as AnyEventType) },
      ]),
    ]),
  };
  return {
    operationId: `on${title}`,
    // By the name that an endpoint asks for: of many things something is done or has come to nothing.
    summary: name,
    description: `${first?.summary}.\n\nSchema version ${first?.version}, since ${first?.since}.${pinsOf(earlier)}`,
    tags: ['webhooks'],
    security: [],
    parameters: WEBHOOK_HEADERS,
    requestBody: { required: true, content: { 'application/json': content } },
    responses: {
      '2XX': { description: 'It was taken' },
      '4XX': { description: 'It was not, and is tried again; with 410 nothing more is sent' },
    },
  };
}

/** What endpoints may have asked for instead. */
const pinsOf = (earlier: readonly EarlierShape[]): string =>
  earlier.length === 0
    ? ''
    : ` Pinned endpoints get version ${earlier.map(({ version }) => version).join(' or ')}.`;

function eventOf(
  parts: DocumentParts,
  name: string,
  same: readonly Pick<AnyEventType, 'schema'>[],
): DocumentJson {
  const schemas = same.map(({ schema }) => schema);
  const data = schemas.length === 1 ? schemas[0] : { anyOf: schemas };
  const event = parts.schema(named('Event', envelope(Json).properties));
  return {
    allOf: [
      event,
      { type: 'object', properties: { type: { const: name }, data: parts.schema(data) } },
    ],
  };
}

/** Standard Webhooks. */
const WEBHOOK_HEADERS = [
  { name: 'webhook-id', description: 'The event’s id, the same in every attempt' },
  { name: 'webhook-timestamp', description: 'Seconds since 1970, of this attempt' },
  { name: 'webhook-signature', description: '`v1,` and the HMAC, for each secret that is valid' },
].map((header) => ({ ...header, in: 'header', required: true, schema: { type: 'string' } }));

const exampleOf = ({ name, object, version, example }: AnyEventType): object => ({
  id: 'evt_01KAMCSW5F6N1DM3V8Q2ZT7XYB',
  type: name,
  timestamp: '2026-11-22T03:00:58.447Z',
  schema_version: version,
  client_id: 2,
  sequence: 4711,
  live: false,
  object: { type: object, id: '812', version: 4711 },
  request: {
    id: 'b8b4f7b2-4f0c-4c38-9a4e-1f0c2a7d9d3e',
    idempotency_key: 'first-top-up',
    actor: 'user:3',
    operation: '7a1d4b9e-52c6-4a8e-9f53-0c7d1f2e6a11',
  },
  data: example,
});
