import { CODES, type Code } from '../error.ts';
import { refusalsOf } from '../http/declare/declared-errors.ts';
import type { EnvelopeName } from '../http/declare/envelope.ts';
import { GUIDES } from '../http/declare/error-guide.ts';
import type { Route } from '../http/declare/route.ts';
import { HtmlPage } from '../http/declare/schema.ts';
import { showsPage } from '../http/pages/failure-page.ts';
import { answerHeaders } from './headers.ts';
import type { DocumentParts } from './parts.ts';
import type { DocumentJson } from './plain-schema.ts';

/** Every failure of an endpoint by status, with its codes; `default` is what no declaration knows of. */
export function failuresOf(parts: DocumentParts, route: Route): DocumentJson {
  if (showsPage(route)) return failingPages(parts, route);
  const { name, faults = name } = route.envelope;
  const responses = refusalsOf(route).map(({ status, codes, usual }): [string, DocumentJson] => {
    const envelope = status >= 500 ? faults : name;
    const content = contentOf(parts, envelope, codes);
    const response = { ...failure(parts, { status, codes }), content };
    if (usual === undefined) return [String(status), response];
    return [String(status), parts.ref('responses', `${PREFIXES[envelope]}${usual}`, response)];
  });
  return { ...Object.fromEntries(responses), default: anyFailure(parts, name) };
}

/** The same of what shows pages, which names the code on them. */
function failingPages(parts: DocumentParts, route: Route): DocumentJson {
  const content = { 'text/html': { schema: HtmlPage } };
  const responses = refusalsOf(route).map(({ status, codes }): [string, DocumentJson] => [
    String(status),
    { ...failure(parts, { status, codes }), content },
  ]);
  const any = {
    description: 'Any failure, as a page',
    headers: answerHeaders(parts, { fails: true }),
    content,
  };
  return { ...Object.fromEntries(responses), default: parts.ref('responses', 'FailurePage', any) };
}

const PREFIXES: Readonly<Record<EnvelopeName, string>> = {
  flat: 'Flat',
  error: 'Plain',
  coded: 'Coded',
  status: 'Status',
  error_code: 'ErrorCode',
};

function anyFailure(parts: DocumentParts, envelope: EnvelopeName): DocumentJson {
  return parts.ref('responses', `${PREFIXES[envelope]}Failure`, {
    description: 'Any failure of this family',
    headers: answerHeaders(parts, { fails: true }),
    content: { 'application/json': { schema: shapeOf(parts, envelope) } },
  });
}

interface Answered {
  readonly status: number;
  readonly codes: readonly Code[];
}

const failure = (parts: DocumentParts, { status, codes }: Answered): DocumentJson => ({
  description: codes.map((code) => `\`${code}\`: ${GUIDES[code].cause}`).join('\n\n'),
  headers: answerHeaders(parts, { fails: true, waits: status === 429 || status === 503 }),
});

function contentOf(
  parts: DocumentParts,
  envelope: EnvelopeName,
  codes: readonly Code[],
): DocumentJson {
  const [first = 'INTERNAL'] = codes;
  return {
    'application/json': {
      schema: { allOf: [shapeOf(parts, envelope), narrowed(envelope, codes)] },
      example: SHAPES[envelope].example(first, {
        hint: GUIDES[first].cure,
        doc_url: `${parts.publicUrl}/docs/errors/${first}`,
      }),
    },
  };
}

const shapeOf = (parts: DocumentParts, envelope: EnvelopeName): DocumentJson => {
  parts.ref('schemas', 'ErrorCode', { type: 'string', enum: Object.keys(CODES) });
  return parts.ref('schemas', `${PREFIXES[envelope]}Failure`, SHAPES[envelope].schema);
};

/** The same with these codes only. */
function narrowed(envelope: EnvelopeName, codes: readonly Code[]): DocumentJson {
  const word = { enum: codes };
  if (envelope === 'coded')
    return { properties: { error: { type: 'object', properties: { ...OPEN, code: word } } } };
  return { properties: { [envelope === 'error_code' ? 'error_code' : 'code']: word } };
}

/** As the whole shape has them. */
const OPEN = { message: true, details: true, hint: true, doc_url: true };

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

interface Shape {
  readonly schema: DocumentJson;
  example(code: Code, help: DocumentJson): DocumentJson;
}

/** The failure in each envelope, as envelope.ts renders it. */
const SHAPES: Readonly<Record<EnvelopeName, Shape>> = {
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
