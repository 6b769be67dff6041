import type { ApiDocument } from './document-shapes.ts';
import { emitExamples } from './emit-examples.ts';
import { emitResources } from './emit-resources.ts';
import { emitTypes } from './emit-types.ts';

/** The generated files of the packages, by their path. */
export const sdkFiles = (document: ApiDocument): Record<string, string> => ({
  'packages/sdk/src/types.generated.ts': emitTypes(document),
  'packages/sdk/src/resources.generated.ts': emitResources(document),
  'packages/sdk/src/examples.generated.ts': emitExamples(document),
});
