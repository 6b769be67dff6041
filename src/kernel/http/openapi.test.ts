import { Ajv2020 } from 'ajv/dist/2020.js';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import {
  codedEnvelope,
  type Envelope,
  errorCodeEnvelope,
  errorEnvelope,
  flatEnvelope,
  statusEnvelope,
} from './envelope.ts';
import { fail } from './error.ts';
import { describeApi } from './openapi.ts';
import { endpoints, type Route, type RouteId } from './route.ts';
import { AmountInput, HtmlPage, IdInput, Message, Nothing } from './schema.ts';

const endpoint = (family: Envelope, fields: { body?: object; query?: object } = {}): Route =>
  endpoints(family)('POST /things', {
    name: 'things.do',
    auth: 'public',
    summary: 'Does a thing',
    ...(fields as object),
    reply: { 200: Message },
    handler: async () => ({ message: 'done' }),
  });

// biome-ignore lint/suspicious/noExplicitAny: the document is plain JSON.
type Json = any;
const documentOf = (route: Route): Json => JSON.parse(JSON.stringify(describeApi([route])));
const describedAs = (route: Route): Json => documentOf(route).paths['/things'].post;

describe('The description of the API', () => {
  test('asks for a body only where one without fields would be refused', () => {
    const optional = Type.Object({ name: Type.Optional(Type.String()) });
    const needed = Type.Object({ name: Type.String() });
    const required = (body: object) =>
      describedAs(endpoint(errorEnvelope, { body })).requestBody.required;
    expect([Nothing, optional, needed].map(required)).toEqual([false, false, true]);
  });

  test('calls a page a page', () => {
    const page = endpoints(errorEnvelope)('POST /things', {
      name: 'things.do',
      auth: 'public',
      summary: 'Shows a thing',
      reply: { 200: HtmlPage },
      handler: async () => '',
    });
    const { responses } = describedAs(page);
    expect(Object.keys(responses[200].content)).toEqual(['text/html']);
    expect(Object.keys(responses.default.content)).toEqual(['application/json']);
  });

  test('gives operations names that functions of a client can have', () => {
    const named = (id: RouteId) => {
      const route = { ...endpoint(errorEnvelope), id };
      const [, path = ''] = id.split(' ');
      return Object.values<Json>(documentOf(route).paths[path])[0].operationId;
    };
    expect(named('GET /users/{user_id}/tos-acceptance-link')).toBe(
      'getUsersByUserIdTosAcceptanceLink',
    );
    expect(named('POST /2fa/setup')).toBe('post2faSetup');
    expect(named('POST /ekyc/idv/syncIdvStatus')).toBe('postEkycIdvSyncIdvStatus');
  });

  test('says beside a parameter what its schema says of it', () => {
    const query = Type.Object({ since: Type.String({ description: 'the last id seen' }) });
    expect(describedAs(endpoint(errorEnvelope, { query })).parameters[0]).toMatchObject({
      name: 'since',
      in: 'query',
      required: true,
      description: 'the last id seen',
    });
  });

  test('is plain JSON Schema: whoever reads it takes what we take', () => {
    const body = Type.Object({ id: IdInput, amount: AmountInput });
    const { schema } = describedAs(endpoint(errorEnvelope, { body })).requestBody.content[
      'application/json'
    ];
    const takes = new Ajv2020().compile(schema);
    expect(JSON.stringify(schema)).not.toContain('wire');
    expect(takes({ id: 7, amount: 0.1 })).toBe(true);
    expect(takes({ id: '7', amount: '0.10' })).toBe(true);
    for (const id of [0, 1.5, '0', '007', '1.0', true, null])
      expect(takes({ id, amount: 1 }), `id ${id}`).toBe(false);
    for (const amount of [0, -1, '0.00', '1e3', '01', '.5', true, null])
      expect(takes({ id: 1, amount }), `amount ${amount}`).toBe(false);
  });

  test.for([flatEnvelope, errorEnvelope, codedEnvelope, statusEnvelope, errorCodeEnvelope])(
    'shows failures as $name has them',
    (family) => {
      const document = documentOf(endpoint(family));
      const { schema } =
        document.paths['/things'].post.responses.default.content['application/json'];
      const fits = new Ajv2020({ strict: false }).compile({
        ...schema,
        components: document.components,
      });
      const error = fail('CONFLICT', 'No', { details: [{ field: 'a', message: 'b' }] });
      const sent = JSON.parse(
        JSON.stringify(
          family.error(error, {
            at: '2026-01-01T00:00:00.000Z',
            requestId: 'r',
            publicUrl: () => '',
          }),
        ),
      );
      expect(fits(sent)).toBe(true);
      expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(sent).sort());
      for (const name of schema.required) {
        const { [name]: _, ...rest } = sent;
        expect(fits(rest), name).toBe(false);
      }
    },
  );
});
