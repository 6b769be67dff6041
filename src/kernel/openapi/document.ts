import { type Catalogue, catalogueOf } from '../events/catalogue.ts';
import { API_PREFIX } from '../http/declare/prefix.ts';
import type { Route } from '../http/declare/route.ts';
import { describeCodes } from './failures.ts';
import { ALWAYS } from './headers.ts';
import { operationOf } from './operation.ts';
import { createParts } from './parts.ts';
import type { DocumentJson } from './plain-schema.ts';
import { prerequisiteFinder } from './prerequisites.ts';
import { NO_WORDS, type Vocabulary } from './vocabulary.ts';
import { webhooksOf } from './webhooks.ts';

export type OpenApi = DocumentJson;

/** What the reference says that no declaration can. */
export interface About {
  readonly info: DocumentJson;
  /** In the order in which a newcomer needs them, each with its purpose. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly groups: readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly words?: Vocabulary;
  /** Where the service is reached, without a slash at the end. */
  readonly publicUrl: string;
}

/** OpenAPI 3.1 made of the declarations that validate the requests, so it can't disagree with them. */
export function describeApi(
  routes: readonly Route[],
  about: About,
  catalogue: Catalogue = catalogueOf([]),
): OpenApi {
  const parts = createParts(about.publicUrl, about.words);
  const needsOf = prerequisiteFinder(routes, (about.words ?? NO_WORDS).origins);
  const paths: Record<string, DocumentJson> = {};
  for (const route of inJourneyOrder(routes, about)) {
    const [method = '', path = ''] = route.id.split(' ');
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: operationOf(parts, route, needsOf(route)),
    };
  }
  const webhooks = webhooksOf(parts, catalogue);
  return {
    openapi: '3.1.0',
    info: about.info,
    servers: [{ url: `${about.publicUrl}${API_PREFIX}` }],
    tags: about.tags,
    'x-tagGroups': about.groups,
    // Of every answer; only those of single answers stand beside them.
    'x-archipay-headers': ALWAYS,
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'The application’s key, which starts with `ak_`',
        },
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The token that a log-in has answered',
        },
      },
      ...parts.components(),
      'x-archipay-codes': describeCodes(),
    },
  };
}

/** As the tags are; within one as they are declared. */
function inJourneyOrder(routes: readonly Route[], { tags }: About): Route[] {
  const places = new Map(tags.map(({ name }, place) => [name, place]));
  const placeOf = ({ endpoint: { name } }: Route) =>
    places.get(name.split('.')[0] ?? '') ?? tags.length;
  return [...routes].sort((a, b) => placeOf(a) - placeOf(b));
}
