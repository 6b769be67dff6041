import { expect, test } from 'vitest';
import { CODES } from '#kernel/error.ts';
import { MEANINGS } from '#src/app/reference/meanings.ts';
import { productDocument } from '../scripts/product-document.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is plain JSON.
type Json = any;
const document: Json = JSON.parse(JSON.stringify(productDocument()));
const operations: [string, Json][] = Object.values<Json>(document.paths)
  .flatMap(Object.entries<Json>)
  .map(([method, operation]) => [method, operation]);

/** Every part of the document and the names on the way to it; examples are no parts. */
function everywhere(part: Json, see: (part: Json, place: string) => void, place = ''): void {
  if (typeof part !== 'object' || part === null) return;
  see(part, place);
  for (const [name, inner] of Object.entries(part))
    if (!['example', 'examples'].includes(name)) everywhere(inner, see, `${place}/${name}`);
}

const partAt = (pointer: string): Json =>
  pointer
    .slice(2)
    .split('/')
    .reduce((part: Json, name) => part[name], document);

test('a failure is written once, and every operation points to it', () => {
  const inline = operations.flatMap(([, operation]) =>
    Object.entries<Json>(operation.responses)
      .filter(([status, { $ref }]) => !/^[23]/.test(status) && $ref === undefined)
      // An answer that the contract declares with a body of its own.
      .filter(([, { description }]) => description !== 'A failure with an answer of its own')
      .map(([status]) => `${operation['x-archipay-method']} ${status}`),
  );
  expect(inline).toEqual([]);
  expect(JSON.stringify(document).length).toBeLessThan(5_500 * operations.length);
});

test('a program finds the codes of each failure, and whether to send the request again', () => {
  const codes = document.components['x-archipay-codes'];
  expect(Object.keys(codes).sort()).toEqual(Object.keys(CODES).sort());
  for (const [, operation] of operations)
    for (const [status, { $ref }] of Object.entries<Json>(operation.responses)) {
      if ($ref === undefined || status === 'default') continue;
      const own = operation['x-archipay-errors']?.[status];
      const told = own ?? partAt($ref)['x-archipay-errors'];
      const where = `${operation['x-archipay-method']} ${status}`;
      expect(told?.length, where).toBeGreaterThan(0);
      expect(told.filter((code: string) => codes[code] === undefined)).toEqual([]);
      expect(Object.keys(partAt($ref).headers), where).toContain('x-should-retry');
    }
  const retried = Object.keys(codes).filter((code) => codes[code]['x-should-retry']);
  expect(retried.sort()).toEqual([
    'IDEMPOTENCY_IN_PROGRESS',
    'INTERNAL',
    'NOT_READY',
    'OVERLOADED',
    'PROVIDER_UNAVAILABLE',
    'RATE_LIMITED',
    'SHUTTING_DOWN',
  ]);
});

test('every list says how a program reads it to its end', () => {
  const PLACES = ['before', 'after', 'offset', 'page', 'cursor'];
  const marked: string[] = [];
  for (const [method, operation] of operations) {
    const name = operation['x-archipay-method'];
    const asked: string[] = operation.parameters.map((one: Json) => one.name);
    const page = operation['x-archipay-page'];
    if (
      method !== 'get' ||
      name === 'events.stream' ||
      !PLACES.some((one) => asked.includes(one))
    ) {
      expect(page, name).toBeUndefined();
      continue;
    }
    marked.push(name);
    expect(asked, name).toContain(page.parameter);
    const { schema } = operation.responses[200].content['application/json'];
    expect(fieldAt(schema, page.items)?.type, name).toBe('array');
    if (page.next !== null) expect(fieldAt(schema, page.next), name).toBeDefined();
    else expect(Object.keys(operation.responses[200].headers), name).toContain('link');
  }
  expect(marked.length).toBeGreaterThan(30);
});

/** The field at `data.items` of an answer. */
const fieldAt = (schema: Json, path: string): Json =>
  path
    .split('.')
    .filter((name) => name !== '')
    .reduce((part, name) => resolved(part).properties[name], schema);
const resolved = (part: Json): Json => (part.$ref ? partAt(part.$ref) : part);

test('every word that a field takes has a meaning', () => {
  const silent = new Set<string>();
  everywhere(document, (part, place) => {
    // The codes of one failure are told by ErrorCode.
    if (!Array.isArray(part.enum) || /\/responses\/\w+\/content|\/properties$/.test(place)) return;
    const meanings = part['x-enum-descriptions'] ?? {};
    for (const word of part.enum) if (!meanings[word]) silent.add(`${place}: ${word}`);
  });
  expect([...silent]).toEqual([]);
});

test('a heading is a few words without markup', () => {
  const headings = operations.map(([, { summary }]) => summary);
  expect(headings.filter((text) => text.length > 40 || /[`.]/.test(text))).toEqual([]);
  const byTag = operations.map(([, { tags, summary }]) => `${tags[0]}: ${summary}`);
  expect(byTag.filter((text, i) => byTag.indexOf(text) !== i)).toEqual([]);
});

/** The fields of a part, with the parameters of an operation. */
function fieldsIn(part: Json): [string, Json][] {
  const fields: [string, Json][] = (part.parameters ?? []).map((one: Json) => [one.name, one]);
  everywhere(part, ({ properties = {} }) => void fields.push(...Object.entries<Json>(properties)));
  return fields;
}

test('a name means one thing, and where it means another that place is there', () => {
  const owners = new Map<string, Json>([
    ...Object.entries<Json>(document.components.schemas),
    ...operations.map(([, one]) => [one['x-archipay-method'], one] as [string, Json]),
  ]);
  for (const [key, meaning] of Object.entries(MEANINGS)) {
    const [, owner, name = ''] = /^(.+)\.(\w+)$/.exec(key) ?? [];
    if (owner === undefined) expect(meaning, key).not.toMatch(/;|, or /);
    else {
      const told = fieldsIn(owners.get(owner) ?? {}).filter(([field]) => field === name);
      expect(
        told.map(([, { description }]) => description),
        key,
      ).toContain(meaning);
    }
  }
});

test('every pattern is one that validators of other languages take', () => {
  const patterns = new Set<string>();
  everywhere(document, ({ pattern }) => {
    if (typeof pattern === 'string') patterns.add(pattern);
  });
  expect(patterns.size).toBeGreaterThan(15);
  // Without the flag `u`, without classes of Unicode, and without looking around, which Go and Rust do not have.
  for (const pattern of patterns) expect(() => new RegExp(pattern), pattern).not.toThrow();
  expect([...patterns].filter((one) => /\\p|\\P|\\u|\(\?[=!<]/.test(one))).toEqual([]);
});
