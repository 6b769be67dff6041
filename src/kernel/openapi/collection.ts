import { type CollectionItem, mainJobOf } from './collection-main-job.ts';
import type { OpenApi } from './document.ts';
import type { DocumentJson } from './plain-schema.ts';

/**
 * The operations as a collection of requests (format 2.1), which Postman, Bruno and others import. Made of the
 * document: converters of that keep one of the two credentials, and fill bodies in with nothing that works. Key and
 * tokens are variables; a log-in puts its token there. A program that sends all of it in order comes to its end: the main
 * job is first and checks its answers, what ends the log-in is last, and endless streams are left out.
 */
export function collectionOf(document: OpenApi, apiKey = ''): object {
  const {
    info,
    servers,
    tags,
    'x-tagGroups': groups,
    paths,
    components,
  } = document as unknown as Read;
  const refs = (part: Parameter | { readonly $ref: string }): Parameter =>
    '$ref' in part ? (components.parameters[part.$ref.replace(/.*\//, '')] as Parameter) : part;
  const requests = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        tag: operation.tags[0],
        id: operation.operationId,
        isStream: STREAM in (operation.responses['200']?.content ?? {}),
        item: itemOf({ method: method.toUpperCase(), path, operation }, refs),
      })),
    )
    .filter(({ isStream }) => !isStream);
  const folderOf = (name: string) => {
    const tag = tags.find((one) => one.name === name);
    const item = requests
      .filter((one) => one.tag === name && !ENDS_LOG_IN.test(one.id))
      .map((one) => one.item);
    return { name: tag?.['x-displayName'] ?? name, description: tag?.description, item };
  };
  const ends = requests.filter(({ id }) => ENDS_LOG_IN.test(id)).map(({ item }) => item);
  return {
    info: { name: info.title, description: info.summary, schema: FORMAT },
    variable: [
      { key: 'baseUrl', value: servers[0]?.url },
      { key: 'apiKey', value: apiKey },
      { key: 'walletId', value: '' },
      ...Object.values(TOKENS).map((key) => ({ key, value: '' })),
    ],
    item: [
      mainJobOf((id) => requests.find((one) => one.id === id)?.item),
      ...groups.map((group) => ({
        name: group.name,
        item: group.tags.map(folderOf).filter(({ item }) => item.length > 0),
      })),
      { name: 'What ends the log-in', item: ends },
    ].filter(({ item }) => item.length > 0),
  };
}

const STREAM = 'text/event-stream';
const ENDS_LOG_IN = /^(usersLogOut|sessionsEnd(Others)?)$/;

const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** Members of the rewards app log in apart from everybody else. */
const TOKENS = { platform: 'token', rewards: 'memberToken' };

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly [string];
  readonly security: readonly DocumentJson[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly example: DocumentJson }>>;
  };
  readonly responses: Readonly<Record<string, { readonly content?: object } | undefined>>;
}

interface Read {
  readonly info: { readonly title: string; readonly summary?: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly {
    readonly name: string;
    readonly 'x-displayName'?: string;
    readonly description: string;
  }[];
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, unknown>> };
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

function itemOf(
  { method, path, operation }: Asked,
  refs: (part: Parameter) => Parameter,
): CollectionItem {
  const { operationId, summary, description, parameters, requestBody } = operation;
  const shown = parameters.map(refs).map(({ name, description, example, in: place }) => ({
    place,
    row: {
      key: name,
      value: String(example ?? ''),
      description,
      disabled: example === undefined,
    },
  }));
  const at = (place: string) => shown.filter((one) => one.place === place).map(({ row }) => row);
  const example = requestBody?.content['application/json']?.example;
  const login = TOKENS[operation.tags[0] === 'rewards' ? 'rewards' : 'platform'];
  const item = {
    name: summary,
    request: {
      method,
      description: [`\`${operationId}\``, description].filter(Boolean).join('\n\n'),
      header: [
        ...credentials(operation, login),
        ...(example ? [{ key: 'content-type', value: 'application/json' }] : []),
        ...at('header'),
      ],
      url: {
        raw: `{{baseUrl}}${path.replace(/\{(\w+)\}/g, ':$1')}`,
        host: ['{{baseUrl}}'],
        path: path
          .slice(1)
          .replace(/\{(\w+)\}/g, ':$1')
          .split('/'),
        query: at('query'),
        variable: at('path').map(({ key, value, description }) => ({
          key,
          value,
          description,
        })),
      },
      ...(example && {
        body: { mode: 'raw', raw: JSON.stringify(example, null, 2), options: AS_JSON },
      }),
    },
    ...(LOG_IN.test(operationId) && { event: [{ listen: 'test', script: { exec: keep(login) } }] }),
  };
  return item;
}

const AS_JSON = { raw: { language: 'json' } };
const LOG_IN = /^(auth|rewards|externalLogin)(LogIn|CompleteLogIn)$/;

/** Runs in the program that has imported it. */
const keep = (variable: string): string[] => [
  'const body = pm.response.json();',
  'const token = body.data?.token ?? body.token;',
  `if (token) pm.collectionVariables.set('${variable}', token);`,
];

function credentials({ security }: Operation, token: string): object[] {
  const wanted = new Set(security.flatMap((one) => Object.keys(one)));
  return [
    ...(wanted.has('apiKey') ? [{ key: 'x-api-key', value: '{{apiKey}}' }] : []),
    ...(wanted.has('token') ? [{ key: 'authorization', value: `Bearer {{${token}}}` }] : []),
  ];
}
