import type { Code } from '../error.ts';
import type { EnvelopeName } from '../http/declare/envelope.ts';
import { GUIDES } from '../http/declare/error-guide.ts';
import type { DocumentJson } from './plain-schema.ts';

const text = { type: 'string' };
const object = (properties: object, required: string[]): DocumentJson => ({
  type: 'object',
  properties,
  required,
});
const details = {
  description: 'What is wrong with a request, field by field; else facts by name, or words',
  anyOf: [
    { type: 'array', items: object({ field: text, message: text }, ['field', 'message']) },
    { type: 'object' },
    text,
  ],
  examples: [[{ field: 'amount', message: 'is required' }]],
};
const flag = { const: false };
const help = {
  hint: { ...text, description: 'What to do about it' },
  doc_url: { ...text, format: 'uri', description: 'The page of this code' },
};
const helps = ['hint', 'doc_url'];
const code = { $ref: '#/components/schemas/ErrorCode' };

const REQUEST_ID = 'b8b4f7b2-4f0c-4c38-9a4e-1f0c2a7d9d3e';
const AT = '2026-11-22T03:00:58.447Z';

export interface FailureShape {
  readonly schema: DocumentJson;
  example(code: Code, help: DocumentJson): DocumentJson;
}

/** The failure in each envelope, as envelope.ts renders it. */
export const FAILURE_SHAPES: Readonly<Record<EnvelopeName, FailureShape>> = {
  flat: {
    schema: object({ success: flag, error: text, code, details, ...help, request_id: text }, [
      ...['success', 'error', 'code', 'request_id'],
      ...helps,
    ]),
    example: (name, help) => ({
      success: false,
      error: GUIDES[name].cause,
      code: name,
      ...help,
      request_id: REQUEST_ID,
    }),
  },
  error: {
    schema: object({ error: text, code, details, ...help, request_id: text }, [
      ...['error', 'code', 'request_id'],
      ...helps,
    ]),
    example: (name, help) => ({
      error: GUIDES[name].cause,
      code: name,
      ...help,
      request_id: REQUEST_ID,
    }),
  },
  coded: {
    schema: object(
      {
        success: flag,
        error: object({ code, message: text, details, ...help }, ['code', 'message', ...helps]),
        timestamp: text,
        request_id: text,
      },
      ['success', 'error', 'timestamp', 'request_id'],
    ),
    example: (name, help) => ({
      success: false,
      error: { code: name, message: GUIDES[name].cause, ...help },
      timestamp: AT,
      request_id: REQUEST_ID,
    }),
  },
  status: {
    schema: object(
      {
        status: { const: 'FAILED' },
        message: text,
        error: details,
        code,
        ...help,
        request_id: text,
      },
      ['status', 'message', 'code', 'request_id', ...helps],
    ),
    example: (name, help) => ({
      status: 'FAILED',
      message: GUIDES[name].cause,
      code: name,
      ...help,
      request_id: REQUEST_ID,
    }),
  },
  error_code: {
    schema: object(
      {
        success: flag,
        error_code: code,
        message: text,
        details,
        ...help,
        timestamp: text,
        request_id: text,
      },
      ['success', 'error_code', 'message', 'timestamp', 'request_id', ...helps],
    ),
    example: (name, help) => ({
      success: false,
      error_code: name,
      message: GUIDES[name].cause,
      ...help,
      timestamp: AT,
      request_id: REQUEST_ID,
    }),
  },
};
