import {
  type ApiDocument,
  type Field,
  followed,
  nameOfRef,
  type Operation,
  operationsOf,
  type Shape,
} from './document-shapes.ts';

/**
 * The types of every value that is sent and answered. Closed words are sent; answered words stay open, so that a word
 * that is added later breaks no program. Amounts are sent as text, whole numbers as numbers.
 */
export function emitTypes(document: ApiDocument): string {
  const operations = operationsOf(document);
  const { sent, answered } = reached(document, operations);
  const shapes = Object.entries(document.components.schemas).flatMap(([name, shape]) => [
    ...(answered.has(name) ? [typeLine(name, shape, OUT)] : []),
    ...(sent.has(name)
      ? [typeLine(answered.has(name) ? `${name}Input` : name, shape, inputOf(answered))]
      : []),
  ]);
  const events = Object.keys(document.webhooks).map(
    (type) => `  '${type}': ${eventTypeName(type)};`,
  );
  const codes = Object.keys(document.components['x-archipay-codes']).map((code) => `'${code}'`);
  const versions = document.components.parameters['ApiVersion']?.schema?.enum ?? [];
  return [
    HEAD,
    `/** The version of the API that these types are of. */\nexport const API_VERSION = '${versions.at(-1)}';`,
    `/** What a failure says that it is. */\nexport type ErrorCode =\n  | ${codes.join('\n  | ')};`,
    ...shapes,
    ...operations.flatMap((operation) => operationTypes(operation, answered)),
    `/** Events by their type. */\nexport interface Events {\n${events.join('\n')}\n}`,
    'export type EventType = keyof Events;',
    '/** An event of any known type, told apart by `type`. */\nexport type ArchipayEvent = Events[EventType];',
  ]
    .join('\n\n')
    .concat('\n');
}

const HEAD = `// Made from the OpenAPI document by \`npm run generate\`.

/** The rows of a list, by where they stand in its answer. */
export type Row<A, Path extends string> = Path extends ''
  ? A extends readonly (infer R)[] ? R : never
  : Path extends \`\${infer First}.\${infer Rest}\`
    ? First extends keyof A ? Row<NonNullable<A[First]>, Rest> : never
    : Path extends keyof A ? Row<NonNullable<A[Path]>, ''> : never;`;

export const eventTypeName = (type: string): string =>
  `${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;

interface Mode {
  readonly open: boolean;
  nameOf(ref: string): string;
}
const OUT: Mode = { open: true, nameOf: nameOfRef };
const inputOf = (answered: ReadonlySet<string>): Mode => ({
  open: false,
  nameOf: (ref) => (answered.has(nameOfRef(ref)) ? `${nameOfRef(ref)}Input` : nameOfRef(ref)),
});

function operationTypes(operation: Operation, answered: ReadonlySet<string>): string[] {
  const { title, fields, rawBody, answers, answerKind } = operation;
  const mode = inputOf(answered);
  const members = fields.map((field) => member(field.name, field.shape, { ...field, mode }));
  if (rawBody) members.push(RAW_BODY);
  const params = members.length === 0 ? 'Record<string, never>' : `{\n${members.join('\n')}\n}`;
  const texts = [...new Set(answers.map((shape) => typeOf(shape, OUT)))];
  return [
    `export type ${title}Params = ${params};`,
    ...(answerKind === 'json' ? [`export type ${title}Answer = ${texts.join(' | ')};`] : []),
  ];
}

const RAW_BODY = `  /** What is sent as it is: bytes, text, or a value for JSON. */
  body?: Uint8Array | string | object;
  /** The type of the bytes. */
  content_type?: string;`;

const typeLine = (name: string, shape: Shape, mode: Mode): string =>
  `${comment(shape, '')}export type ${name} = ${typeOf(shape, mode)};`;

function typeOf(shape: Shape, mode: Mode): string {
  if (shape.$ref !== undefined) return mode.nameOf(shape.$ref);
  if ('const' in shape) return JSON.stringify(shape.const);
  if (shape.enum) return wordsOf(shape.enum, mode);
  if (shape.anyOf) return unionOf(shape.anyOf, mode);
  if (shape.allOf) return shape.allOf.map((one) => `(${typeOf(whole(one), mode)})`).join(' & ');
  if (Array.isArray(shape.type)) {
    return shape.type.map((type) => typeOf({ ...shape, type }, mode)).join(' | ');
  }
  if (shape.type === 'array') return `(${typeOf(shape.items ?? {}, mode)})[]`;
  if (shape.properties) return objectOf(shape, mode);
  if (shape.type === 'object') return `Record<string, ${valuesOf(shape, mode)}>`;
  return PLAIN[String(shape.type)] ?? (mode.open ? 'unknown' : likeItsExample(shape));
}

/** Some requests take any value, and say of each line what is wrong with it: a right one is like the example. */
const likeItsExample = ({ type, examples: [example] = [] }: Shape): string =>
  type === undefined && ['string', 'number', 'boolean'].includes(typeof example)
    ? typeof example
    : 'unknown';

/** What narrows another shape narrows fields that are there. */
const whole = (shape: Shape): Shape =>
  shape.properties && !shape.required
    ? { ...shape, required: Object.keys(shape.properties) }
    : shape;

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

function wordsOf(words: readonly unknown[], { open }: Mode): string {
  const known = words.map((word) => JSON.stringify(word));
  const isText = words.length > 1 && words.every((word) => typeof word === 'string');
  return [...known, ...(open && isText ? ['(string & {})'] : [])].join(' | ');
}

/** A number may be sent as its digits: whole ones are sent as numbers, amounts as text, which is exact. */
function unionOf(shapes: readonly Shape[], mode: Mode): string {
  const types = shapes.map(({ type }) => type);
  if (!mode.open && types.length === 2 && types[1] === 'string') {
    if (types[0] === 'integer') return 'number';
    if (types[0] === 'number') return 'string';
  }
  return [...new Set(shapes.map((one) => typeOf(one, mode)))].join(' | ');
}

function valuesOf({ additionalProperties, patternProperties }: Shape, mode: Mode): string {
  const [pattern] = Object.values(patternProperties ?? {});
  const values = pattern ?? additionalProperties;
  return typeof values === 'object' ? typeOf(values, mode) : 'unknown';
}

function objectOf({ properties = {}, required = [] }: Shape, mode: Mode): string {
  const members = Object.entries(properties).map(([name, shape]) =>
    member(name, shape, { required: required.includes(name), mode }),
  );
  return members.length === 0 ? 'Record<string, unknown>' : `{\n${members.join('\n')}\n}`;
}

interface Said {
  readonly required: boolean;
  readonly mode: Mode;
}

function member(name: string, shape: Shape, { required, mode }: Said): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
  // What a variable may lack can be passed on as it is.
  const missing = !required && !mode.open ? ' | undefined' : '';
  return `${comment(shape, '  ')}  ${key}${required ? '' : '?'}: ${typeOf(shape, mode)}${missing};`;
}

const comment = ({ description }: Shape, indent: string): string =>
  description === undefined
    ? ''
    : `${indent}/** ${description.replace(/\s+/g, ' ').replaceAll('*/', '*\\/')} */\n`;

/** The named shapes that requests have, and those that answers and events have. */
function reached(document: ApiDocument, operations: readonly Operation[]) {
  const sent = new Set<string>();
  const answered = new Set<string>();
  const visit = (value: unknown, into: Set<string>): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as Shape;
    if (typeof $ref === 'string' && !into.has(nameOfRef($ref))) {
      into.add(nameOfRef($ref));
      visit(followed(document, { $ref }), into);
    }
    for (const [key, inner] of Object.entries(value)) if (key !== 'examples') visit(inner, into);
  };
  for (const { fields, answers } of operations) {
    visit(
      fields.map(({ shape }: Field) => shape),
      sent,
    );
    visit(answers, answered);
  }
  for (const type of Object.keys(document.webhooks)) {
    visit({ $ref: eventTypeName(type) }, answered);
  }
  visit({ $ref: 'DryRun' }, answered);
  for (const set of [sent, answered]) set.delete('ErrorCode');
  return { sent, answered };
}
