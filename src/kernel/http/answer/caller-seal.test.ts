import { expect, test } from 'vitest';
import { openForCaller, sealForCaller } from './caller-seal.ts';

const REQUEST = ['ak_0123', 'Bearer of-a-log-in', '', 'first-key', '{"name":"a"}'];
const CONTEXT = 'idempotency:0f';
const secretOf = (parts: readonly string[]): string => JSON.stringify(parts);

test('an answer opens to the request it belongs to, and to no other', () => {
  const sealed = sealForCaller('{"api_key":"ak_new"}', secretOf(REQUEST), CONTEXT);
  expect(sealed).not.toContain('ak_new');
  expect(openForCaller(sealed, secretOf(REQUEST), CONTEXT)).toBe('{"api_key":"ak_new"}');
  for (const [at] of REQUEST.entries()) {
    const other = REQUEST.with(at, 'another');
    expect(openForCaller(sealed, secretOf(other), CONTEXT), `part ${at}`).toBeUndefined();
  }
  expect(openForCaller(sealed, undefined, CONTEXT)).toBeUndefined();
  expect(openForCaller(sealed, secretOf(REQUEST), 'idempotency:10')).toBeUndefined();
});

test('what is stored of an API key does not open an answer', () => {
  const sealed = sealForCaller('{"password":"new"}', secretOf(REQUEST), CONTEXT);
  const [key = '', ...rest] = REQUEST;
  for (const stored of ['', key.slice(0, 4), Buffer.from(key).toString('hex')])
    expect(openForCaller(sealed, secretOf([stored, ...rest]), CONTEXT)).toBeUndefined();
});
