import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { describeApi } from '../../openapi/document.ts';
import { MetadataPatch, namesShown } from './caller-names.ts';
import { errorEnvelope } from './envelope.ts';
import { requireVersion, versionMeant } from './if-match.ts';
import { endpoints } from './route.ts';
import { AmountInput } from './schema.ts';
import { requestCompiler } from './wire.ts';

const shared = {
  auth: 'public',
  summary: 'Does a thing',
  reply: { 200: Type.Object(namesShown) },
  handler: async () => ({ reference: null, metadata: {} }),
} as const;
const declare = endpoints(errorEnvelope);
const creating = declare('POST /things', {
  ...shared,
  name: 'things.create',
  creates: 'thing',
  body: Type.Object({ amount: AmountInput }),
});
const changing = declare('PATCH /things/{id}/metadata', {
  ...shared,
  name: 'things.changeMetadata',
  params: Type.Object({ id: Type.String() }),
  body: MetadataPatch,
});

test('what makes a thing takes both names, and the document has them under names of their own', () => {
  const about = { info: {}, tags: [], groups: [], publicUrl: 'https://pay.example' };
  const document = JSON.parse(JSON.stringify(describeApi([creating, changing], about)));
  const { schema } = document.paths['/things'].post.requestBody.content['application/json'];
  expect(Object.keys(schema.properties)).toEqual(['amount', 'reference', 'metadata']);
  expect(schema.properties.reference.$ref).toBe('#/components/schemas/CallerReference');
  expect(schema.properties.metadata.$ref).toBe('#/components/schemas/Metadata');
  expect(schema.required).toEqual(['amount']);
  expect(document.components.schemas.Metadata).toMatchObject({
    type: 'object',
    maxProperties: 20,
    additionalProperties: { type: 'string', maxLength: 500 },
  });
  const refusals = JSON.stringify(document.paths['/things'].post['x-archipay-errors']);
  expect(refusals).toContain('REFERENCE_IN_USE');
});

test('a body of several forms takes both names in each, and one with such a field is refused', () => {
  const either = Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]);
  const union = declare('POST /others', {
    ...shared,
    name: 'others.create',
    creates: 'other',
    body: either,
  });
  const { anyOf } = union.endpoint.body as unknown as { anyOf: { properties: object }[] };
  expect(anyOf.map(({ properties }) => Object.keys(properties))).toEqual([
    ['a', 'reference', 'metadata'],
    ['b', 'reference', 'metadata'],
  ]);
  const own = Type.Object({ metadata: Type.String() });
  expect(() =>
    declare('POST /mine', { ...shared, name: 'mine.create', creates: 'mine', body: own }),
  ).toThrow('metadata of its own');
});

test('a change of metadata takes nulls, and a version by its body or by If-Match', () => {
  const validate = requestCompiler()({ schema: MetadataPatch, method: '', url: '' });
  expect(validate({ metadata: { a: null, b: 'x' }, version: 3 })).toBe(true);
  expect(validate({ metadata: { a: 1 } })).toBe(false);
  expect(validate({})).toBe(false);
  const meant = (header?: string, version?: number) =>
    versionMeant(
      version === undefined ? {} : { version },
      header === undefined ? {} : { 'if-match': header },
    );
  expect([meant(), meant('*'), meant('"3"'), meant('3', 3), meant(undefined, 4)]).toEqual([
    undefined,
    undefined,
    3,
    3,
    4,
  ]);
  expect(() => meant('"x"')).toThrow('If-Match must be one version');
  expect(() => meant('"3"', 4)).toThrow('version must be that of If-Match');
  expect(() => requireVersion(3, undefined)).not.toThrow();
  expect(() => requireVersion(3, 2)).toThrow('changed since it was read');
});
