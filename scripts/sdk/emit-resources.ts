import { type ApiDocument, capital, type Operation, operationsOf } from './document-shapes.ts';

/** A class for each resource with a method for each of its operations, and one that has all of them. */
export function emitResources(document: ApiDocument): string {
  const byResource = new Map<string, Operation[]>();
  for (const operation of operationsOf(document)) {
    byResource.set(operation.resource, [...(byResource.get(operation.resource) ?? []), operation]);
  }
  const classes = [...byResource].map(
    ([resource, its]) =>
      `export class ${capital(resource)} extends Resource {\n${its.map(methodOf).join('\n\n')}\n}`,
  );
  const members = [...byResource.keys()].map(
    (resource) => `  readonly ${resource}: ${capital(resource)} = new ${capital(resource)}(this);`,
  );
  return [
    '// Made from the OpenAPI document by `npm run generate`.',
    "import type { ApiPromise, CallOptions, Reply } from './call.ts';",
    "import { Caller } from './caller.ts';",
    "import type { PagePromise } from './page.ts';",
    "import type { EventStream, StreamOptions } from './stream.ts';",
    "import { Resource } from './resource.ts';",
    "import type * as T from './types.generated.ts';\n",
    classes.join('\n\n'),
    `\n/** Every operation, by resource. */\nexport class Resources extends Caller {\n${members.join('\n')}\n}\n`,
  ].join('\n');
}

function methodOf(operation: Operation): string {
  const { verb, title, fields, rawBody, page, dryRun, answerKind } = operation;
  const isNeeded = fields.some(({ required }) => required) || rawBody;
  const params = `params: T.${title}Params${isNeeded ? '' : ' = {}'}`;
  const answer = { json: `T.${title}Answer`, text: 'string', bytes: 'Uint8Array', stream: '' }[
    answerKind
  ];
  const call = `(${descriptor(operation)}, params, options);`;
  const line = (head: string, act: string) =>
    `${comment(operation)}  ${head} {\n    return this.${act}${call}\n  }`;
  if (answerKind === 'stream') {
    return line(`${verb}(${params}, options?: StreamOptions): EventStream`, '_stream');
  }
  if (page) {
    const row = `T.Row<${answer}, '${page.items}'>`;
    const head = `${verb}(${params}, options?: CallOptions): PagePromise<${answer}, ${row}>`;
    return line(head, `_page<${answer}, ${row}>`);
  }
  if (dryRun) {
    const head = `${verb}<O extends CallOptions>(${params}, options?: O): Reply<${answer}, O>`;
    return line(head, `_reply<${answer}, O>`);
  }
  return line(
    `${verb}(${params}, options?: CallOptions): ApiPromise<${answer}>`,
    `_call<${answer}>`,
  );
}

const SECRET = /card_number|cvv|password|secret|mnemonic|private_key|token$|^code$|otp|pin$/;

/** What the caller has to know of an operation, as short as it can be said. */
function descriptor(operation: Operation): string {
  const { resource, verb, method, path, fields, rawBody, answerKind, money, page } = operation;
  const query = fields.filter(({ place }) => place === 'query').map(({ name }) => name);
  const extras = {
    ...(query.length > 0 && method !== 'GET' && { query }),
    ...(rawBody && { raw: true }),
    ...((answerKind === 'text' || answerKind === 'bytes') && { answer: answerKind }),
    ...(money && { money: true }),
    ...(fields.some(({ name, place }) => place === 'body' && SECRET.test(name)) && {
      secret: true,
    }),
    ...(page && {
      page: {
        parameter: page.parameter,
        items: page.items,
        ...(page.next !== null && { next: page.next }),
      },
    }),
  };
  const rest = Object.keys(extras).length === 0 ? '' : `, ${JSON.stringify(extras)}`;
  return `['${resource}.${verb}', '${method}', '${path}'${rest}]`;
}

function comment({ summary, description, deprecated }: Operation): string {
  const words = description.replace(/\n+\*\*(?:Refuses with|Needs)[\s\S]*$/, '').split('\n\n');
  const lines = [summary, ...words, ...(deprecated ? ['@deprecated'] : [])];
  const text = lines.join('\n\n').replaceAll('*/', '*\\/');
  return `  /**\n${text
    .split('\n')
    .map((line) => `   * ${line}`.trimEnd())
    .join('\n')}\n   */\n`;
}
