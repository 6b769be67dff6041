import type { OpenApi } from './document.ts';
import { guidesSection } from './guides.ts';
import type { DocumentJson } from './plain-schema.ts';

type Json = DocumentJson;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Fields of fields are shown this deep. */
const DEPTH_MAX = 3;

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly said: Json;
}

/** For programs that read text: what there is, and where each operation is described. */
export function llmsText(document: OpenApi, publicUrl: string): string {
  const all = operationsOf(document);
  const parts = (document['tags'] as Json[]).flatMap(({ name, description }) => {
    const own = all.filter(({ said }) => (said['tags'] as string[])[0] === name);
    if (own.length === 0) return [];
    const lines = own.map(({ id, method, path, said }) => {
      const address = `${publicUrl}/docs/api/${id}.md`;
      return `- [${said['summary']}](${address}): ${method} ${path}`;
    });
    return [`## ${name}`, String(description ?? ''), lines.join('\n')];
  });
  return [
    '# Archipay',
    '> Payments over fiat wallets, cards, banks and chains, behind one HTTP API.',
    `The whole document is at ${publicUrl}/openapi.json, each error code at ${publicUrl}/docs/errors.`,
    guidesSection(publicUrl),
    ...parts,
  ].join('\n\n');
}

/** A page for each operation, by its id. */
export const operationPages = (document: OpenApi): ReadonlyMap<string, string> =>
  new Map(operationsOf(document).map((one) => [one.id, pageOf(document, one)]));

function operationsOf({ paths }: OpenApi): Operation[] {
  return Object.entries(paths as Record<string, Json>).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const said = item[method] as Json | undefined;
      return said
        ? [{ id: String(said['operationId']), method: method.toUpperCase(), path, said }]
        : [];
    }),
  );
}

function pageOf(document: OpenApi, { method, path, said }: Operation): string {
  const parameters = ((said['parameters'] ?? []) as Json[]).map((one) => followed(document, one));
  const [body] = contentOf(said['requestBody'] as Json | undefined);
  return [
    `# ${said['summary']}`,
    `\`${method} /api${path}\``,
    String(said['description'] ?? ''),
    ...(parameters.length > 0 ? ['## Parameters', parametersOf(document, parameters)] : []),
    ...(body ? ['## Body', ...shownBody(document, body)] : []),
    '## Answers',
    ...answersOf(document, said['responses'] as Record<string, Json>),
  ]
    .join('\n\n')
    .concat('\n');
}

function parametersOf(document: OpenApi, parameters: readonly Json[]): string {
  const rows = parameters.map(({ name, in: place, required, description, schema }) => {
    const type = typeOf(document, (schema ?? {}) as Json);
    return [`\`${name}\``, place, type, required === true ? 'yes' : 'no', description];
  });
  return table(['name', 'in', 'type', 'required', 'meaning'], rows);
}

function shownBody(document: OpenApi, content: Json): string[] {
  const fields = fieldsOf(document, (content['schema'] ?? {}) as Json);
  const example = exampleOf(content);
  return [
    ...(fields.length > 0 ? [table(['field', 'type', 'required', 'meaning'], fields)] : []),
    ...(example === undefined ? [] : [code(example)]),
  ];
}

function answersOf(document: OpenApi, responses: Readonly<Record<string, Json>>): string[] {
  return Object.entries(responses).flatMap(([status, given]) => {
    const answer = followed(document, given);
    const [content] = contentOf(answer);
    const isGood = status.startsWith('2');
    const example = content && isGood ? exampleOf(content) : undefined;
    const fields = content && isGood ? fieldsOf(document, (content['schema'] ?? {}) as Json) : [];
    return [
      `### ${status}`,
      String(answer['description'] ?? ''),
      ...(fields.length > 0 ? [table(['field', 'type', 'always', 'meaning'], fields)] : []),
      ...(example === undefined ? [] : [code(example)]),
    ];
  });
}

const contentOf = (of: Json | undefined): Json[] =>
  Object.values((of?.['content'] ?? {}) as Json) as Json[];

function exampleOf(content: Json): unknown {
  const [named] = Object.values((content['examples'] ?? {}) as Record<string, Json>);
  return content['example'] ?? named?.['value'];
}

const code = (value: unknown): string =>
  typeof value === 'string'
    ? `\`\`\`\n${value}\n\`\`\``
    : `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``;

type Row = readonly unknown[];

/** `data.wallet_id`, one row a field. */
function fieldsOf(document: OpenApi, schema: Json, above = '', depth = 0): Row[] {
  const whole = followed(document, schema);
  if (whole['type'] === 'array') {
    return fieldsOf(document, (whole['items'] ?? {}) as Json, `${above}[]`, depth);
  }
  const required = (whole['required'] ?? []) as string[];
  return Object.entries((whole['properties'] ?? {}) as Record<string, Json>).flatMap(
    ([name, given]): Row[] => {
      const field = { ...followed(document, given), ...given };
      const place = above === '' ? name : `${above}.${name}`;
      const always = required.includes(name) ? 'yes' : 'no';
      const row = [`\`${place}\``, typeOf(document, given), always, field['description']];
      return depth + 1 < DEPTH_MAX ? [row, ...fieldsOf(document, given, place, depth + 1)] : [row];
    },
  );
}

function typeOf(document: OpenApi, schema: Json): string {
  const whole = followed(document, schema);
  const words = whole['enum'] as unknown[] | undefined;
  if (words) return words.map((word) => `\`${word}\``).join(', ');
  const choices = (whole['anyOf'] ?? whole['oneOf']) as Json[] | undefined;
  if (choices) {
    return [...new Set(choices.map((one) => typeOf(document, one)))].join(' or ');
  }
  if (whole['const'] !== undefined) return `\`${whole['const']}\``;
  if (whole['type'] === 'array') {
    return `list of ${typeOf(document, (whole['items'] ?? {}) as Json)}`;
  }
  return [whole['type'] ?? 'any'].flat().join(' or ');
}

/** What a reference points to. */
function followed(document: OpenApi, given: Json): Json {
  const { $ref } = given;
  if (typeof $ref !== 'string') return given;
  const names = $ref.replace('#/', '').split('/');
  const found = names.reduce<unknown>((at, name) => (at as Json | undefined)?.[name], document);
  return followed(document, (found ?? {}) as Json);
}

const table = (heads: readonly string[], rows: readonly Row[]): string =>
  [heads, heads.map(() => '---'), ...rows.map((row) => row.map(cell))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');

const cell = (value: unknown): string =>
  String(value ?? '')
    .replace(/\s+/g, ' ')
    .replaceAll('|', '\\|');
