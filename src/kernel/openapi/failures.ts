import { CODES, type Code } from '../error.ts';
import { type Refusals, refusalsOf } from '../http/declare/declared-errors.ts';
import type { EnvelopeName } from '../http/declare/envelope.ts';
import { GUIDES } from '../http/declare/error-guide.ts';
import { shouldRetry } from '../http/declare/retrying.ts';
import type { Route } from '../http/declare/route.ts';
import { HtmlPage } from '../http/declare/schema.ts';
import { showsPage } from '../http/pages/failure-page.ts';
import { FAILURE_SHAPES } from './failure-shapes.ts';
import { answerHeaders } from './headers.ts';
import type { DocumentParts } from './parts.ts';
import type { DocumentJson } from './plain-schema.ts';

/** Codes by status. */
type CodesByStatus = Readonly<Record<string, readonly Code[]>>;

export interface Failures {
  /** By status, each written once in the document; `default` is what no declaration knows of. */
  readonly responses: DocumentJson;
  /** The codes of a status that has one of the endpoint's own; of the others the response names them. */
  readonly codes: CodesByStatus;
  /** The endpoint's own ones among them. */
  readonly own: CodesByStatus;
}

/** Every failure of an endpoint. */
export function failuresOf(parts: DocumentParts, route: Route): Failures {
  const { name, faults = name } = route.envelope;
  const isPage = showsPage(route);
  // Some have an answer of their own.
  const refusals = refusalsOf(route).filter(({ status }) => !(status in route.endpoint.reply));
  const responses = refusals.map((refused): [string, DocumentJson] => {
    const form = isPage ? 'page' : refused.status >= 500 ? faults : name;
    return [String(refused.status), responseOf(parts, form, refused)];
  });
  const special = refusals.filter(({ usual }) => usual === undefined);
  return {
    responses: {
      ...Object.fromEntries(responses),
      default: anyFailure(parts, isPage ? 'page' : name),
    },
    codes: Object.fromEntries(special.map(({ status, codes }) => [status, codes])),
    own: Object.fromEntries(special.map(({ status, own }) => [status, own])),
  };
}

/** How a failure is shown: in an envelope, or as a page for people. */
type Form = EnvelopeName | 'page';

const PREFIXES: Readonly<Record<Form, string>> = {
  flat: 'Flat',
  error: 'Plain',
  coded: 'Coded',
  status: 'Status',
  error_code: 'ErrorCode',
  page: 'Page',
};

/** The usual refusals with their codes; one response of each status for all that have codes of their own. */
function responseOf(
  parts: DocumentParts,
  form: Form,
  { status, codes, usual }: Refusals,
): DocumentJson {
  const headers = answerHeaders(parts, { fails: true, waits: WAITING.has(status) });
  if (usual === undefined) {
    const description = 'Refused by one of the codes that `x-archipay-errors` of the operation has';
    const content = contentOf(parts, form, codeLike(status));
    return parts.ref('responses', PREFIXES[form] + status, { description, headers, content });
  }
  return parts.ref('responses', PREFIXES[form] + usual, {
    description: codes.map((code) => `\`${code}\`: ${GUIDES[code].cause}`).join('\n\n'),
    'x-archipay-errors': codes,
    headers,
    content: contentOf(parts, form, codes[0], codes),
  });
}

const WAITING: ReadonlySet<number> = new Set([409, 429, 500, 503]);

/** One that has this status as its own, for an example. */
const codeLike = (status: number): Code | undefined =>
  (Object.keys(CODES) as Code[]).find((code) => CODES[code] === status);

function anyFailure(parts: DocumentParts, form: Form): DocumentJson {
  return parts.ref('responses', `${PREFIXES[form]}Failure`, {
    description: form === 'page' ? 'Any failure, as a page' : 'Any failure of this family',
    headers: answerHeaders(parts, { always: true, fails: true, waits: true }),
    content: form === 'page' ? PAGE : { 'application/json': { schema: shapeOf(parts, form) } },
  });
}

const PAGE = { 'text/html': { schema: HtmlPage } };

function contentOf(
  parts: DocumentParts,
  form: Form,
  code: Code = 'INTERNAL',
  codes?: readonly Code[],
): DocumentJson {
  if (form === 'page') return PAGE;
  const shape = shapeOf(parts, form);
  const help = { hint: GUIDES[code].cure, doc_url: `${parts.publicUrl}/docs/errors/${code}` };
  return {
    'application/json': {
      schema: codes === undefined ? shape : { allOf: [shape, narrowed(form, codes)] },
      example: FAILURE_SHAPES[form].example(code, help),
    },
  };
}

const shapeOf = (parts: DocumentParts, form: EnvelopeName): DocumentJson => {
  parts.ref('schemas', 'ErrorCode', ERROR_CODE);
  return parts.ref('schemas', `${PREFIXES[form]}Failure`, FAILURE_SHAPES[form].schema);
};

const CODE_NAMES = Object.keys(CODES) as Code[];

const ERROR_CODE: DocumentJson = {
  type: 'string',
  enum: CODE_NAMES,
  'x-enum-descriptions': Object.fromEntries(CODE_NAMES.map((code) => [code, GUIDES[code].cause])),
};

/** Of each code its usual status, what to do about it, and whether the same request may succeed later. */
export const describeCodes = (): DocumentJson =>
  Object.fromEntries(
    CODE_NAMES.map((code) => [
      code,
      {
        status: CODES[code],
        'x-should-retry': shouldRetry({ code, status: CODES[code] }),
        cure: GUIDES[code].cure,
      },
    ]),
  );

/** The same with these codes only. */
function narrowed(envelope: EnvelopeName, codes: readonly Code[]): DocumentJson {
  const word = { enum: codes };
  if (envelope === 'coded')
    return { properties: { error: { type: 'object', properties: { ...OPEN, code: word } } } };
  return { properties: { [envelope === 'error_code' ? 'error_code' : 'code']: word } };
}

/** As the whole shape has them. */
const OPEN = { message: true, details: true, hint: true, doc_url: true };
