/** The parts of the OpenAPI document that the SDK and the command line are made from. */

export interface Shape {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly type?: string | readonly string[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Shape | boolean;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly pattern?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly 'x-enum-descriptions'?: Readonly<Record<string, string>>;
}

interface Content {
  readonly schema: Shape;
  readonly example?: unknown;
}
interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Shape;
}
interface DocumentedOperation {
  readonly 'x-archipay-method': string;
  readonly 'x-archipay-money'?: true;
  readonly 'x-archipay-dry-run'?: Shape;
  readonly 'x-archipay-page'?: PageOf;
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: true;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, Content>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Content>> }>
  >;
}
export interface PageOf {
  readonly kind: string;
  readonly parameter: string;
  readonly items: string;
  readonly next: string | null;
}
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly webhooks: Readonly<Record<string, unknown>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Shape>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly 'x-archipay-codes': Readonly<
      Record<string, { readonly status: number; readonly cure: string }>
    >;
  };
}

export interface Field {
  readonly name: string;
  readonly place: 'path' | 'query' | 'body';
  readonly required: boolean;
  readonly shape: Shape;
}

/** What an operation answers: its JSON, a text, or bytes. */
export type AnswerKind = 'json' | 'text' | 'bytes' | 'stream';

/** One operation, as a function of one object of named values. */
export interface Operation {
  readonly resource: string;
  readonly verb: string;
  /** `CardsTopUp`, in front of the names of its types. */
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly fields: readonly Field[];
  /** The body is not an object of named values: bytes of a file, or anything. */
  readonly rawBody: boolean;
  readonly answers: readonly Shape[];
  readonly answerKind: AnswerKind;
  readonly money: boolean;
  readonly dryRun: boolean;
  readonly deprecated: boolean;
  readonly page?: PageOf;
}

const JSON_TYPE = 'application/json';

/** The operations in the order of the document. Throws where a name would mean two things. */
export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      read(document, operation, { path, method: method.toUpperCase() }),
    ),
  );
}

function read(
  document: ApiDocument,
  operation: DocumentedOperation,
  at: { readonly path: string; readonly method: string },
): Operation {
  const [resource = '', verb = ''] = operation['x-archipay-method'].split('.');
  const body = operation.requestBody?.content;
  const given = body?.[JSON_TYPE]?.schema;
  const bodyShape = given && followed(document, given);
  const isObject = bodyShape?.properties !== undefined;
  const sent = isObject ? bodyFields(bodyShape) : [];
  // What a file needs beside it is in the query; with JSON the body has it.
  const isFileToo = given !== undefined && Object.keys(body ?? {}).length > 1;
  const asked = fieldsAt(operation, 'query').filter(
    ({ name }) => !isFileToo || !sent.some((field) => field.name === name),
  );
  const fields = [...fieldsAt(operation, 'path'), ...asked, ...sent];
  const names = fields.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`${resource}.${verb} has two values called ${twice}`);
  const page = operation['x-archipay-page'];
  return {
    ...at,
    resource,
    verb,
    title: capital(resource) + capital(verb),
    summary: operation.summary,
    description: operation.description,
    fields,
    rawBody: body !== undefined && !isObject,
    ...answersOf(operation),
    money: operation['x-archipay-money'] === true,
    dryRun: operation['x-archipay-dry-run'] !== undefined,
    deprecated: operation.deprecated === true,
    ...(page && { page }),
  };
}

/** The shape that a reference points to. */
export const followed = (document: ApiDocument, shape: Shape): Shape =>
  shape.$ref === undefined ? shape : (document.components.schemas[nameOfRef(shape.$ref)] ?? {});

export const nameOfRef = (ref: string): string => ref.replace(/^.*\//, '');
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const fieldsAt = (operation: DocumentedOperation, place: 'path' | 'query'): Field[] =>
  operation.parameters.flatMap(({ name, in: where, required, description, schema = {} }) =>
    name === undefined || where !== place
      ? []
      : [
          {
            name,
            place,
            required: required === true,
            shape: { ...schema, ...(description !== undefined && { description }) },
          },
        ],
  );

const bodyFields = ({ properties = {}, required = [] }: Shape): Field[] =>
  Object.entries(properties).map(([name, shape]) => ({
    name,
    place: 'body',
    required: required.includes(name),
    shape,
  }));

function answersOf({ responses }: DocumentedOperation): Pick<Operation, 'answers' | 'answerKind'> {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const contents = good.flatMap(([, { content = {} }]) => Object.entries(content));
  const json = contents.filter(([type]) => type === JSON_TYPE);
  if (json.length > 0) {
    return { answerKind: 'json', answers: json.map(([, { schema }]) => schema) };
  }
  const type = contents[0]?.[0] ?? '';
  const kind =
    type === 'text/event-stream' ? 'stream' : type.startsWith('text/') ? 'text' : 'bytes';
  return { answerKind: kind, answers: [] };
}
