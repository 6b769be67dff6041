import { expect, test } from 'vitest';
import { CODES } from '#kernel/error.ts';
import { productWords } from '#src/app/reference/about.ts';
import { harness } from './harness.ts';

const h = await harness();
const { routes, words } = h.app.features;
const VOCABULARY = productWords(words, h.app.sandboxUrl());
// biome-ignore lint/suspicious/noExplicitAny: the document is plain JSON.
type Json = any;
const document: Json = await (await fetch(`${h.kernel.publicUrl()}/openapi.json`)).json();

const NAME = /^[a-z]+(?:[A-Z][a-z]+)?\.[a-z]+(?:[A-Z][a-z]*){0,2}$/;

test('every operation has a unique name: a thing, and an action of up to three words', () => {
  const names: string[] = routes.map(({ endpoint }) => endpoint.name);
  expect(names.filter((name) => !NAME.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  const operations = Object.values<Json>(document.paths).flatMap((methods) =>
    Object.values<Json>(methods).map((operation) => operation['x-archipay-method']),
  );
  expect(operations.sort()).toEqual([...names].sort());
});

test('every operation has a description, and every description an operation', () => {
  const operations = Object.values<Json>(document.paths).flatMap(Object.values<Json>);
  const silent = operations.filter(({ description = '' }) => !/[.:]/.test(description));
  expect(silent.map((operation) => operation['x-archipay-method'])).toEqual([]);
  const names = new Set<string>(routes.map(({ endpoint }) => endpoint.name));
  const { descriptions } = VOCABULARY;
  expect(Object.keys(descriptions).filter((name) => !names.has(name))).toEqual([]);
  const unfinished = Object.entries<string | undefined>(descriptions).filter(
    ([, text = '']) => !/^[A-Z`].*[.]$/.test(text),
  );
  expect(unfinished).toEqual([]);
});

test('descriptions name only existing endpoints, events and codes', () => {
  const types = Object.keys(document.webhooks);
  const objects = [...new Set(types.map((type) => type.split('.')[0]))].join('|');
  const NAMED = [
    // The sandbox has an address of its own.
    /`((?:GET|POST|PUT|PATCH|DELETE) (?!\/faucet)[^`]+)`/g,
    new RegExp(`\`((?:${objects})\\.[a-z_]+)\``, 'g'),
    /\b[45]\d\d `([A-Z_]+)`/g,
  ];
  const known = new Set<string>([...routes.map(({ id }) => id), ...types, ...Object.keys(CODES)]);
  const said = Object.values<Json>(document.paths)
    .flatMap(Object.values<Json>)
    .flatMap(({ description }) => NAMED.flatMap((kind) => [...description.matchAll(kind)]))
    .map(([, name = '']) => name);
  expect(said.length).toBeGreaterThan(200);
  expect(said.filter((name) => !known.has(name))).toEqual([]);
});

test('every thing has its place in the journey, and every place a thing', () => {
  const things = new Set(routes.map(({ endpoint: { name } }) => name.split('.')[0]));
  const places: string[] = document.tags.map(({ name }: Json) => name);
  expect(places.filter((place) => place !== 'webhooks').sort()).toEqual([...things].sort());
});

test('callbacks have a tag of their own, and the guide for operators has each address', () => {
  const called = routes.filter(({ endpoint: { name } }) => name.startsWith('callbacks.'));
  const guide = document.info.description.split('# Call-backs of providers')[1].split('\n# ')[0];
  const addresses = [...guide.matchAll(/`(\S+\/api\/\S+)`/g)].map(([, address]) => address);
  const { url } = document.servers[0];
  // A provider may register an address by GET before it calls it by POST.
  const paths = new Set(called.map(({ id }) => url + id.replace(/^\w+ /, '')));
  expect(addresses.sort()).toEqual([...paths].sort());
  const signed = routes.filter(({ endpoint }) => endpoint.signed).map(({ id }) => id);
  expect(signed.filter((id) => called.every((one) => one.id !== id))).toEqual([]);
});

/** Schemas that only wrap an answer in the envelope's constants. */
const WRAPPING = new Set(['success', 'message', 'timestamp', 'data']);

test('a shape used in two places has a name', () => {
  const places = new Map<string, string[]>();
  const walk = (part: Json, place: string): void => {
    // An endpoint's own codes differ in the same shape of failure.
    if (typeof part !== 'object' || part === null || /\/[45]\d\d\//.test(place)) return;
    const fields = Object.keys(part.properties ?? {}).filter((name) => !WRAPPING.has(name));
    const text = JSON.stringify(part);
    if (fields.length > 2) places.set(text, [...(places.get(text) ?? []), place]);
    for (const [name, inner] of Object.entries(part)) walk(inner, `${place}/${name}`);
  };
  walk(document.paths, '');
  expect([...places.values()].filter((same) => same.length > 1)).toEqual([]);
});

/** Codes of the contract of families whose endpoints may come later. */
const EARLY =
  /^(?:IDEMPOTENCY_KEY_REQUIRED|\w+_MISMATCH|SAME_WALLET|RAIL_NOT_AVAILABLE|METHOD_NOT_AVAILABLE|REFRESH_\w+|DEVICE_\w+|PASSKEY_UNKNOWN|POLICY_DENIED|ACCOUNT_CLOSING|VERIFICATION_REQUIRED|REFERENCE_IN_USE|VERSION_CONFLICT|CONTENT_CHANGED|QUOTE_\w+|DUPLICATE_RECIPIENT|RECIPIENT_UNAVAILABLE|ACCOUNT_NOT_EMPTY|LAST_ADMIN|REFUND_\w+|ACCOUNT_LINKED_ELSEWHERE|FILE_IN_USE|POSITION_LIMIT) /;
const isEarly = (page: string): boolean => EARLY.test(page);

test('the page of a code has a status that some endpoint answers with it', () => {
  const answered = new Set<string>();
  const { responses } = document.components;
  for (const operation of Object.values<Json>(document.paths).flatMap(Object.values<Json>))
    for (const [status, { $ref = '' }] of Object.entries<Json>(operation.responses)) {
      const usual = responses[$ref.split('/').at(-1)]?.['x-archipay-errors'] ?? [];
      for (const code of operation['x-archipay-errors']?.[status] ?? usual)
        answered.add(`${code} ${status}`);
    }
  const pages = Object.entries(CODES).map(([code, status]) => `${code} ${status}`);
  // Answered where there is no endpoint.
  const nowhere = ['METHOD_NOT_ALLOWED 405'];
  const missing = pages.filter((page) => !answered.has(page) && !isEarly(page));
  expect(missing).toEqual(nowhere);
});

test('a webhook has its type as its heading', () => {
  const hooks = Object.entries<Json>(document.webhooks);
  for (const [type, { post }] of hooks) {
    expect(post.summary).toBe(type);
    expect(post.description).toMatch(/^[A-Z].+\.\n\nSchema version \d/);
  }
});

/** A step of a walk over the document: a part, and its place. */
function everywhere(part: Json, see: (part: Json, place: string) => void, place = ''): void {
  if (typeof part !== 'object' || part === null) return;
  see(part, place);
  for (const [name, inner] of Object.entries(part)) everywhere(inner, see, `${place}/${name}`);
}

test('examples have real values of answers, and never a placeholder', () => {
  const found: string[] = [];
  const look = (value: Json, place: string): void => {
    if (value === 'text') found.push(place);
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) look(inner, `${place}.${name}`);
  };
  everywhere(document.paths, (part, place) => look(part.example, place));
  expect(found).toEqual([]);
});

test('every example value for one place belongs to an existing place', () => {
  const { schemas } = document.components;
  const operations = Object.values<Json>(document.paths).flatMap(Object.values<Json>);
  const fieldsOf = (owner: string): Set<string> => {
    const names = new Set<string>();
    const operation = operations.find((one) => one['x-archipay-method'] === owner);
    for (const parameter of operation?.parameters ?? []) names.add(parameter.name);
    everywhere(schemas[owner] ?? operation, (part) => {
      for (const name of Object.keys(part.properties ?? {})) names.add(name);
    });
    return names;
  };
  const lost = Object.keys(VOCABULARY.places).filter((place) => {
    const at = place.lastIndexOf('.');
    return !fieldsOf(place.slice(0, at)).has(place.slice(at + 1));
  });
  expect(lost).toEqual([]);
});

test('every parameter and every request field has a meaning', () => {
  const silent = new Set<string>();
  const { schemas, parameters } = document.components;
  const shapes = new Set<string>();
  const look = (part: Json): void => {
    everywhere(part, ({ $ref, properties }) => {
      const shape = typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
      if (shape !== undefined && !shapes.has(shape)) {
        shapes.add(shape);
        look(schemas[shape]);
      }
      for (const [name, field] of Object.entries<Json>(properties ?? {}))
        if (!field.description && !schemas[field.$ref?.split('/').at(-1)]?.description)
          silent.add(name);
    });
  };
  for (const operation of Object.values<Json>(document.paths).flatMap(Object.values<Json>)) {
    look(operation.requestBody?.content['application/json'].schema);
    for (const one of operation.parameters) {
      const { name, description } = one.$ref ? parameters[one.$ref.split('/').at(-1)] : one;
      if (!description) silent.add(name);
    }
  }
  expect([...silent].sort()).toEqual([]);
});
