/**
 * Cuts the schemas of some operations out of a provider's published OpenAPI document, so that tests hold simulators and
 * adapters to them: `node scripts/run.mjs scripts/published-schemas.ts <provider> <document.yml> <commit>`.
 * It writes `sandbox/providers/<provider>/published.generated.json`, whose `operations` it keeps; `sha256` is that of the whole
 * document.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseYaml } from '@redocly/openapi-core';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Fields = Readonly<Record<string, Json>>;

interface Published {
  readonly source: string;
  readonly version: string;
  readonly commit: string;
  readonly sha256: string;
  /** By path; of POST alone. */
  readonly operations: readonly string[];
  readonly schemas: Fields;
}

const SCHEMAS = '#/components/schemas/';
/** Words that say nothing to a validator, or are not JSON Schema's. */
const DROPPED =
  /^(x-|title$|description$|example$|examples$|externalDocs$|deprecated$|default$|discriminator$)/;

const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** OpenAPI 3.0 says `nullable`, JSON Schema lists `null`. */
function cleaned(value: Json, isNames = false): Json {
  if (Array.isArray(value)) return value.map((one) => cleaned(one as Json));
  if (!isFields(value)) return value;
  const entries = Object.entries(value)
    .filter(([key]) => isNames || !DROPPED.test(key))
    .filter(([key]) => isNames || key !== 'nullable')
    .map(([key, inner]): [string, Json] => [
      key,
      cleaned(inner, !isNames && (key === 'properties' || key === 'schemas')),
    ]);
  const plain: Fields = Object.fromEntries(entries);
  if (isNames || value['nullable'] !== true) return plain;
  return { anyOf: [plain, { type: 'null' }] };
}

/** The names of the schemas that a part of the document refers to. */
const refsIn = (value: Json): string[] =>
  [...JSON.stringify(value).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name = '']) => name,
  );

function cut(document: Fields, paths: readonly string[]): Fields {
  const at = (...path: string[]): Json =>
    path.reduce<Json>((value, key) => (isFields(value) ? (value[key] ?? null) : null), document);
  const content = ['content', 'application/json', 'schema'] as const;
  const roots = paths.flatMap((path) => [
    ...refsIn(at('paths', path, 'post', 'requestBody', ...content)),
    ...refsIn(at('paths', path, 'post', 'responses', '200', ...content)),
  ]);
  const kept = new Map<string, Json>();
  const queue = [...roots];
  for (;;) {
    const name = queue.pop();
    if (name === undefined) break;
    if (kept.has(name)) continue;
    const schema = cleaned(at('components', 'schemas', name));
    kept.set(name, schema);
    queue.push(...refsIn(schema));
  }
  const operations = paths.map((path): [string, Json] => {
    const body = at('paths', path, 'post', 'requestBody', ...content);
    const answer = at('paths', path, 'post', 'responses', '200', ...content);
    return [path, { request: body, response: answer }];
  });
  const schemas = [...kept].sort(([a], [b]) => (a < b ? -1 : 1));
  return { operations: Object.fromEntries(operations), schemas: Object.fromEntries(schemas) };
}

const [name = '', file = '', commit = ''] = process.argv.slice(2);
const target = `sandbox/providers/${name}/published.generated.json`;
const known = JSON.parse(readFileSync(target, 'utf8')) as Published & { operations: Fields };
const text = readFileSync(file, 'utf8');
const document = parseYaml(text) as Fields & { info: { version: string } };
const written = {
  source: known.source,
  version: document.info.version,
  commit,
  sha256: createHash('sha256').update(text).digest('hex'),
  ...cut(document, Object.keys(known.operations)),
};
/** One line for a schema: a later version then shows what has changed. */
const lines = (fields: Fields): string =>
  Object.entries(fields)
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join(',\n');
const { schemas, operations, ...head } = written as unknown as Fields & {
  schemas: Fields;
  operations: Fields;
};
const whole = `{${lines(head)},\n"operations":{\n${lines(operations)}\n},\n"schemas":{\n${lines(schemas)}\n}}\n`;
writeFileSync(target, whole.replaceAll(SCHEMAS, '#/schemas/'));
