import { Ajv2020 } from 'ajv/dist/2020.js';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { fail } from '../error.ts';
import {
  codedEnvelope,
  type Envelope,
  errorCodeEnvelope,
  errorEnvelope,
  flatEnvelope,
  statusEnvelope,
} from '../http/declare/envelope.ts';
import { named } from '../http/declare/named.ts';
import { endpoints, type Route } from '../http/declare/route.ts';
import { AmountInput, HtmlPage, IdInput, MessageField, Nothing } from '../http/declare/schema.ts';
import { describeApi } from './document.ts';
import { NO_WORDS } from './vocabulary.ts';

const endpoint = (envelope: Envelope, fields: { body?: object; query?: object } = {}): Route =>
  endpoints(envelope)('POST /things', {
    name: 'things.do',
    auth: 'public',
    summary: 'Does a thing',
    ...(fields as object),
    reply: { 200: MessageField },
    handler: async () => ({ message: 'done' }),
  });

// biome-ignore lint/suspicious/noExplicitAny: the document is plain JSON.
type Json = any;
const ABOUT = { info: {}, tags: [], groups: [], publicUrl: 'https://pay.example' };
const documentOf = (...routes: Route[]): Json =>
  JSON.parse(JSON.stringify(describeApi(routes, ABOUT)));
const describedAs = (route: Route): Json => documentOf(route).paths['/things'].post;

describe('The description of the API', () => {
  test('asks for a body only where one without fields would be refused', () => {
    const optional = Type.Object({ name: Type.Optional(Type.String()) });
    const needed = Type.Object({ name: Type.String() });
    const required = (body: object) =>
      describedAs(endpoint(errorEnvelope, { body })).requestBody.required;
    expect([Nothing, optional, needed].map(required)).toEqual([false, false, true]);
  });

  test('says in examples where the service is reached, and nowhere else', () => {
    const query = Type.Object({ before: Type.Optional(Type.String()) });
    const document = documentOf(endpoint(errorEnvelope, { query }));
    const text = JSON.stringify(document);
    expect(text).toContain('"doc_url":"https://pay.example/docs/errors/VALIDATION_ERROR"');
    expect(text).toContain('<https://pay.example/api/events?before=4711>');
    expect(text).not.toContain('localhost');
  });

  test('gives a field of an answer the example that it has there, not that of what is sent', () => {
    const words = {
      ...NO_WORDS,
      examples: [[/^message$/, 'a canvas bag']] as const,
      answers: [[/^message$/, 'Sent']] as const,
    };
    const route = endpoint(errorEnvelope, { body: MessageField });
    const { post } = JSON.parse(JSON.stringify(describeApi([route], { ...ABOUT, words }))).paths[
      '/things'
    ];
    expect(post.requestBody.content['application/json'].example).toEqual({
      message: 'a canvas bag',
    });
    expect(post.responses[200].content['application/json'].example).toEqual({ message: 'Sent' });
  });

  test('calls a page a page, and its failures pages, too', () => {
    const page = endpoints(errorEnvelope)('POST /things', {
      name: 'things.do',
      auth: 'public',
      summary: 'Shows a thing',
      reply: { 200: HtmlPage },
      handler: async () => '',
    });
    const document = documentOf(page);
    const { responses } = document.paths['/things'].post;
    const pages = document.components.responses;
    expect(responses.default).toEqual({ $ref: '#/components/responses/PageFailure' });
    for (const { content } of [responses[200], ...Object.values<Json>(pages)])
      expect(Object.keys(content)).toEqual(['text/html']);
    expect(responses[429]).toEqual({ $ref: '#/components/responses/PageTooManyRequests' });
    expect(pages.PageTooManyRequests.description).toContain('`RATE_LIMITED`');
  });

  test('calls operations what their endpoints are called, as functions of a client can be', () => {
    const described = describedAs(endpoint(errorEnvelope));
    expect(described.operationId).toBe('thingsDo');
    expect(described['x-archipay-method']).toBe('things.do');
    expect(described.tags).toEqual(['things']);
  });

  test('tells a shape with a name once, and points to it', () => {
    const Thing = named('Thing', { id: IdInput });
    const body = Type.Object({ one: Thing, more: Type.Array(Thing) });
    const document = documentOf(endpoint(errorEnvelope, { body }));
    const { schema } = document.paths['/things'].post.requestBody.content['application/json'];
    const pointed = { $ref: '#/components/schemas/Thing' };
    expect(schema.properties).toEqual({ one: pointed, more: { type: 'array', items: pointed } });
    expect(document.components.schemas.Thing.properties.id.anyOf).toHaveLength(2);
  });

  test('refuses two shapes of one name', () => {
    const body = Type.Object({ a: named('Thing', { id: IdInput }), b: named('Thing', {}) });
    expect(() => documentOf(endpoint(errorEnvelope, { body }))).toThrow(
      'Two different schemas are called Thing',
    );
  });

  test('keeps fields that are called like our own keywords', () => {
    const body = Type.Object({ min: Type.Integer(), wire: Type.String(), pattern: Type.String() });
    const { schema } = describedAs(endpoint(errorEnvelope, { body })).requestBody.content[
      'application/json'
    ];
    expect(Object.keys(schema.properties)).toEqual(['min', 'wire', 'pattern']);
  });

  test('lists what is refused by status, with its codes', () => {
    const route = endpoints(errorEnvelope)('POST /things', {
      name: 'things.do',
      auth: 'user',
      summary: 'Does a thing',
      reply: { 200: MessageField },
      errors: ['USER_NOT_FOUND', '400 PRICE_CHANGED'],
      handler: async () => ({ message: 'done' }),
    });
    const { responses, description, 'x-archipay-errors': codes } = describedAs(route);
    expect(Object.keys(responses)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
      'default',
    ]);
    expect(codes).toEqual({
      400: [
        'VALIDATION_ERROR',
        'UNKNOWN_VERSION',
        'MALFORMED_JSON',
        'DUPLICATE_FIELD',
        'PRICE_CHANGED',
      ],
      404: ['USER_NOT_FOUND'],
    });
    expect(description).toBe(
      'Does a thing.\n\n**Refuses with**: 400 `PRICE_CHANGED`; 404 `USER_NOT_FOUND`.\n\n**Admins need a role**: owner.',
    );
    expect(responses[404]).toEqual({ $ref: '#/components/responses/Plain404' });
    expect(responses[401]).toEqual({ $ref: '#/components/responses/PlainLogInRefused' });
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
    (envelope) => {
      const document = documentOf(endpoint(envelope));
      const [schema] = Object.entries<Json>(document.components.schemas)
        .filter(([name]) => name.endsWith('Failure'))
        .map(([, shape]) => shape);
      const fits = new Ajv2020({ strict: false }).compile({
        ...schema,
        components: document.components,
      });
      const error = fail('CONFLICT', 'No', { details: [{ field: 'a', message: 'b' }] });
      const sent = JSON.parse(
        JSON.stringify(
          envelope.error(error, {
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
