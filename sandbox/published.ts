import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

/** What a provider's published document says of some operations, as `scripts/published-schemas.ts` cuts it out. */
interface Published {
  readonly schemas: Readonly<Record<string, object>>;
  readonly operations: Readonly<Record<string, Readonly<Record<Side, object | null>>>>;
}
type Side = 'request' | 'response';

/** Validates requests and answers of a simulator by the provider's own document. */
export interface PublishedDocument {
  /** What is wrong with it, in words; undefined for a right one, and for an operation that is not in the document. */
  fault(path: string, side: Side, body: unknown): string | undefined;
  readonly paths: readonly string[];
}

/** Reads the document beside that file. */
export function publishedDocument(beside: string): PublishedDocument {
  const file = new URL('published.generated.json', beside);
  const published = JSON.parse(readFileSync(file, 'utf8')) as Published;
  const ajv = new Ajv({ strict: false, allErrors: false, logger: false });
  // The module's types name a namespace where there is a function.
  (addFormats as unknown as (to: Ajv) => void)(ajv);
  // Addresses of one machine are right ones here.
  ajv.addFormat('url', (text) => URL.canParse(text));
  ajv.addSchema({ $id: 'document', schemas: published.schemas });
  const compiled = new Map<string, ValidateFunction>();
  const validatorOf = (path: string, side: Side): ValidateFunction | undefined => {
    const key = `${side} ${path}`;
    const known = compiled.get(key);
    const schema = published.operations[path]?.[side];
    if (known || !schema) return known;
    const text = JSON.stringify(schema).replaceAll('"#/schemas/', '"document#/schemas/');
    const made = ajv.compile(JSON.parse(text) as object);
    compiled.set(key, made);
    return made;
  };
  return {
    paths: Object.keys(published.operations),
    fault(path, side, body) {
      const validate = validatorOf(path, side);
      if (!validate || validate(body)) return undefined;
      const [first] = validate.errors ?? [];
      return `${first?.instancePath.slice(1).replaceAll('/', '.') ?? ''} ${first?.message ?? ''}`.trim();
    },
  };
}
