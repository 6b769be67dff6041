import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { productDocument } from '../../scripts/product-document.ts';
import type { ApiDocument } from '../../scripts/sdk/document-shapes.ts';
import { sdkFiles } from '../../scripts/sdk/sdk-files.ts';

test('the SDK is of the document of this service: npm run generate writes it', () => {
  const files = sdkFiles(productDocument() as unknown as ApiDocument);
  const stale = Object.entries(files).filter(([file, text]) => readFileSync(file, 'utf8') !== text);
  expect(stale.map(([file]) => file)).toEqual([]);
});
