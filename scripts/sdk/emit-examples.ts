import type { ApiDocument, Shape } from './document-shapes.ts';
import { eventTypeName } from './emit-types.ts';

/** The data of an event of each type, as the document shows it: one line a type. */
export function emitExamples(document: ApiDocument): string {
  const lines = Object.keys(document.webhooks).map((type) => {
    const [, own] = document.components.schemas[eventTypeName(type)]?.allOf ?? [];
    return `  '${type}': ${JSON.stringify(exampleOf(own?.properties?.['data'] ?? {}))},`;
  });
  return [
    '// Made from the OpenAPI document by `npm run generate`.',
    "import type { EventType } from './types.generated.ts';\n",
    `export const EXAMPLES: Readonly<Record<EventType, object>> = {\n${lines.join('\n')}\n};\n`,
  ].join('\n');
}

const exampleOf = ({ anyOf, examples }: Shape): unknown =>
  examples?.[0] ?? (anyOf?.[0] ? exampleOf(anyOf[0]) : {});
