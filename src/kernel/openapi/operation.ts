import type { TSchema } from 'typebox';
import { rolesOf } from '../access/team.ts';
import { SCAN_ROWS_MAX } from '../db/counted-list.ts';
import { CSV_ROWS_MAX, csvColumns, rowsOf } from '../http/answer/csv-answer.ts';
import { headLine, rowLine } from '../http/declare/csv.ts';
import { DRY_RUN, DryRunAnswer, takesDryRun } from '../http/declare/dry-run-field.ts';
import type { FileBody } from '../http/declare/file-bytes.ts';
import { countsPages } from '../http/declare/page.ts';
import type { AnyEndpoint, OperationName, Route } from '../http/declare/route.ts';
import { exactSchema } from './exact.ts';
import { type Failures, failuresOf } from './failures.ts';
import { API_VERSION, answerHeaders, keyParameter } from './headers.ts';
import { pageMarkOf } from './page-mark.ts';
import type { DocumentParts } from './parts.ts';
import type { DocumentJson } from './plain-schema.ts';
import { describePrerequisites, type Prerequisites } from './prerequisites.ts';
import { titleOf } from './titles.ts';

/** One endpoint as the document has it. */
export function operationOf(
  parts: DocumentParts,
  route: Route,
  needs: Prerequisites = {},
): DocumentJson {
  const { id, endpoint } = route;
  const { name, params, query, deprecated, movesMoney, requiresKey } = endpoint;
  const { responses, codes, own } = failuresOf(parts, route);
  const changing = !id.startsWith('GET ');
  const page = id.startsWith('GET ') ? pageMarkOf(endpoint) : undefined;
  return {
    operationId: operationId(name),
    'x-archipay-method': name,
    summary: parts.titles[name] ?? titleOf(name),
    description: descriptionOf(parts, route, { needs, own }),
    ...(Object.keys(needs).length > 0 && { 'x-archipay-needs': needs }),
    ...(movesMoney && { 'x-archipay-money': true }),
    ...(asksRole(endpoint) && { 'x-archipay-team-roles': rolesOf(endpoint.team) }),
    ...(takesDryRun(route) && { 'x-archipay-dry-run': parts.schema(DryRunAnswer) }),
    ...(page && { 'x-archipay-page': page }),
    ...(Object.keys(codes).length > 0 && { 'x-archipay-errors': codes }),
    ...(deprecated && { deprecated: true }),
    tags: [name.split('.')[0]],
    security: security(endpoint),
    parameters: [
      ...fields(parts, params, { place: 'path', operation: name }),
      ...fields(parts, query, { place: 'query', operation: name }),
      ...(takesDryRun(route) ? [parts.ref('parameters', 'DryRun', dryRunParameter(parts))] : []),
      parts.ref('parameters', 'ApiVersion', API_VERSION),
      ...(changing ? [keyParameter(parts, requiresKey)] : []),
    ],
    ...bodyOf(parts, endpoint),
    responses: { ...responses, ...answersOf(parts, route) },
  };
}

function dryRunParameter(parts: DocumentParts): DocumentJson {
  // By its name, so that its words get their meanings.
  const { properties } = parts.schema({ properties: { dry_run: DRY_RUN } });
  const { description, ...schema } = (properties as Record<string, DocumentJson>)['dry_run'] ?? {};
  return { name: 'dry_run', in: 'query', required: false, description, schema };
}

interface Said {
  readonly needs: Prerequisites;
  readonly own: Failures['own'];
}

/** What an operation does, what of it a caller has to know, and what it refuses and needs. */
function descriptionOf(parts: DocumentParts, route: Route, { needs, own }: Said): string {
  const { endpoint } = route;
  return [
    sentence(endpoint.summary),
    described(endpoint),
    parts.descriptions[endpoint.name],
    ifUnavailable(route),
    asTable(endpoint),
    describeRefusals(own),
    describePrerequisites(needs),
    describeRoles(endpoint),
  ]
    .filter(Boolean)
    .join('\n\n');
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The codes that are the endpoint's own; the responses have those of any request. */
function describeRefusals(own: Failures['own']): string | undefined {
  const shown = Object.entries(own).map(
    ([status, codes]) => `${status} ${codes.map((code) => `\`${code}\``).join(', ')}`,
  );
  return shown.length === 0 ? undefined : `**Refuses with**: ${shown.join('; ')}.`;
}

function described({ description, deprecated }: AnyEndpoint): string | undefined {
  if (!deprecated) return description;
  const { since, sunset, instead } = deprecated;
  const end = sunset === undefined ? '' : `, and may go on ${sunset}`;
  return `Deprecated since ${since}${end}. Instead: ${instead}.\n\n${description ?? ''}`.trim();
}

/** Whether the role of an admin in their team matters: of what concerns the caller alone it does not. */
const asksRole = ({ auth, team }: AnyEndpoint): boolean =>
  (auth === 'admin' || auth === 'user' || auth === 'either') && !team?.startsWith('own:');

const describeRoles = (endpoint: AnyEndpoint): string | undefined =>
  asksRole(endpoint) ? `**Admins need a role**: ${rolesOf(endpoint.team).join(', ')}.` : undefined;

/** What to do about a 503, where another system has to answer. */
function ifUnavailable({ id, endpoint: { errors = [] } }: Route): string | undefined {
  if (!errors.includes('PROVIDER_UNAVAILABLE')) return undefined;
  if (id.startsWith('GET ')) return 'On 503 try again after `Retry-After`: nothing has changed.';
  return 'On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.';
}

/** `cardsTopUp`: what a generated client calls its function. */
export const operationId = (name: OperationName): string =>
  name.replace(/\.(\w)/, (_, letter: string) => letter.toUpperCase());

function bodyOf(
  parts: DocumentParts,
  { name, body, bodyKind, bytes, alsoBytes, takesForm, example, movesMoney }: AnyEndpoint,
): DocumentJson {
  if (bytes) return fileBody(bytes);
  if (!body) return {};
  const schema = parts.schema(movesMoney ? exactSchema(body) : body, name);
  const composed = parts.examples.sent(schema, name) as object;
  return {
    requestBody: {
      ...(bodyKind === 'list' && { description: 'Up to 1 MiB' }),
      ...(bodyKind === 'payments' && { description: `JSON up to 4 MiB${orFile(alsoBytes)}` }),
      required: ((body as { required?: string[] }).required ?? []).length > 0,
      content: {
        'application/json': { schema, example: { ...composed, ...example, ...parts.bodies[name] } },
        ...(takesForm && { 'application/x-www-form-urlencoded': { schema } }),
        ...Object.fromEntries(
          (alsoBytes?.types ?? []).map((type) => [
            type,
            { schema: { type: 'string', contentMediaType: type } },
          ]),
        ),
      },
    },
  };
}

const orFile = (file: FileBody | undefined): string =>
  file === undefined ? '' : `, or a file up to ${file.most / 2 ** 20} MiB`;

const FILE_EXAMPLES: Readonly<Record<string, unknown>> = {
  'text/csv': 'reference,amount\r\nsalary-11,1200.00\r\n',
  'application/json': { items: [{ reference: 'salary-11', amount: '1200.00' }] },
};

/** A file is sent as it is. */
const fileBody = ({ most, types }: FileBody): DocumentJson => ({
  requestBody: {
    description: `The bytes of the file, up to ${most / 2 ** 20} MiB`,
    required: true,
    content: Object.fromEntries(
      types.map((type) => [
        type,
        {
          schema:
            type === JSON_TYPE ? { type: 'object' } : { type: 'string', contentMediaType: type },
          ...(type in FILE_EXAMPLES && { example: FILE_EXAMPLES[type] }),
        },
      ]),
    ),
  },
});

function answersOf(parts: DocumentParts, { id, endpoint }: Route): DocumentJson {
  const { name, reply, query, body, signed, deprecated, movesMoney } = endpoint;
  const { properties = {} } = (query ?? {}) as { properties?: object };
  const isListed = 'before' in properties || 'cursor' in properties;
  const headers = answerHeaders(parts, {
    replays: !id.startsWith('GET '),
    pages: isListed || countsPages(query),
    ignores: body !== undefined && !signed && !movesMoney,
    leaves: deprecated !== undefined,
  });
  const shownHeaders = Object.keys(headers).length > 0 && { headers };
  return Object.fromEntries(
    Object.entries(reply).map(([status, declared]) => {
      const schema = parts.schema(declared, name);
      const type = mediaType(declared);
      const example = type === JSON_TYPE && { example: parts.examples.answered(schema, name) };
      const description = Number(status) < 400 ? 'Success' : 'A failure with an answer of its own';
      const content = { [type]: { schema, ...example } };
      const table = tableOf(endpoint, example);
      return [status, { description, ...shownHeaders, content, ...table }];
    }),
  );
}

/** The same list as a table: no type of the answer, of which generated clients make one only. */
function tableOf(
  endpoint: AnyEndpoint,
  example: false | { readonly example: unknown },
): DocumentJson {
  if (endpoint.csv === undefined || !example) return {};
  const columns = csvColumns(endpoint);
  const lines = rowsOf(endpoint, example.example).map((row) => rowLine(columns, row));
  return { 'x-archipay-csv': { example: headLine(columns) + lines.join('') } };
}

const asTable = ({ csv, query }: AnyEndpoint): string | undefined =>
  csv === undefined
    ? undefined
    : 'With `Accept: text/csv` the answer is a table: all that is asked for, up to ' +
      `${countsPages(query) ? SCAN_ROWS_MAX : CSV_ROWS_MAX} rows, or with \`limit\` that page.`;

const JSON_TYPE = 'application/json';
const mediaType = (schema: TSchema): string =>
  'contentMediaType' in schema ? String(schema.contentMediaType) : JSON_TYPE;

function security({ auth, keyOptional }: AnyEndpoint): object[] {
  if (auth === 'public') return [];
  if (auth === 'key') return [{ apiKey: [] }];
  if (auth === 'either') return [{ apiKey: [] }, { apiKey: [], token: [] }];
  return keyOptional ? [{ token: [] }] : [{ apiKey: [], token: [] }];
}

interface Asked {
  readonly place: 'path' | 'query';
  readonly operation: string;
}

function fields(
  parts: DocumentParts,
  schema: TSchema | undefined,
  { place, operation }: Asked,
): DocumentJson[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  // Together, so that they get the descriptions of their names.
  const { properties: described } = parts.schema({ properties }, operation) as {
    properties: Record<string, DocumentJson>;
  };
  return Object.entries(described).map(([name, { description, ...field }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: field,
    // A filter with a value would hide rows that the reader looks for.
    ...((place === 'path' || required.includes(name)) && {
      example: parts.examples.field(field, name, operation),
    }),
  }));
}
