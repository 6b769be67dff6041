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
  const title = eventTitle(catalogue.names, name);
  const schema = parts.ref('schemas', `${title}Event`, eventOf(parts, [...same, ...earlier], name));
  return {
    operationId: `on${title}`,
    // By the name that an endpoint asks for: of many things something is done or has come to nothing.
    summary: name,
    description: `${first?.summary}.\n\nSchema version ${first?.version}, since ${first?.since}.${pinsOf(earlier)}`,
    tags: ['webhooks'],
    security: [],
    parameters: WEBHOOK_HEADERS.map(([part, header]) => parts.ref('parameters', part, header)),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': parts.ref('responses', 'WebhookTaken', TAKEN),
      '4XX': parts.ref('responses', 'WebhookRefused', REFUSED),
    },
  };
}

const inCapitals = (name: string): string =>
  name.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `WalletHoldPlaced` of `wallet.hold_placed`; of `wallet_hold.placed`, the longer object, `WalletHold_Placed`. */
function eventTitle(names: readonly string[], name: string): string {
  const title = inCapitals(name);
  const end = name.indexOf('.');
  const isTaken = names.some((other) => inCapitals(other) === title && other.indexOf('.') < end);
  return isTaken ? name.split('.').map(inCapitals).join('_') : title;
}

/** What endpoints may have asked for instead. */
const pinsOf = (earlier: readonly EarlierShape[]): string =>
  earlier.length === 0
    ? ''
    : ` Pinned endpoints get version ${earlier.map(({ version }) => version).join(' or ')}.`;

/** The envelope, and the data that this type has in it, with an example of each of its shapes. */
function eventOf(
  parts: DocumentParts,
  same: readonly Pick<AnyEventType, 'schema' | 'example'>[],
  name: string,
): DocumentJson {
  const shapes = same.map(({ schema, example }) => ({
    ...parts.schema(schema),
    examples: [example],
  }));
  const data = shapes.length === 1 ? shapes[0] : { anyOf: shapes };
  const event = parts.schema(named('Event', envelope(Json).properties));
  return {
    allOf: [event, { type: 'object', properties: { type: { const: name }, data } }],
  };
}

const TAKEN = { description: 'It was taken' };
const REFUSED = { description: 'It was not, and is tried again; with 410 nothing more is sent' };

/** Standard Webhooks. */
const WEBHOOK_HEADERS = [
  ['WebhookId', 'webhook-id', 'The event’s id, the same in every attempt'],
  ['WebhookTimestamp', 'webhook-timestamp', 'Seconds since 1970, of this attempt'],
  ['WebhookSignature', 'webhook-signature', '`v1,` and the HMAC, for each secret that is valid'],
].map(([part = '', name = '', description = '']): [string, DocumentJson] => [
  part,
  { name, description, in: 'header', required: true, schema: { type: 'string' } },
]);
