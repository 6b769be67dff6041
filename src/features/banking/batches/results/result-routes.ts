import { Type } from 'typebox';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { Download } from '#kernel/http/declare/file-bytes.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { FileBytes } from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { writeXml, type XmlTree } from '#kernel/xml/xml.ts';
import { type BatchItem, pageOfItems } from '../items-store.ts';
import { requireBatch } from '../reach.ts';
import type { PaymentBatch } from '../store.ts';
import { camt054Of } from './camt-054.ts';
import { pain002Of } from './pain-002.ts';
import { resultHead, resultLine } from './result-csv.ts';

const endpoint = endpoints(codedEnvelope);
const params = Type.Object({ batch_id: objectIdInput('bat') });

/** The outcome of a batch, payment by payment, in forms that other programs read. At any time. */
export const resultRoutes = (deps: Pick<Kernel, 'clock'>): Route[] => [
  resultRoute('GET /batches/{batch_id}/result.csv', {
    name: 'batches.getResult',
    summary: 'The payments of a batch with their outcomes, as a table',
    type: 'text/csv; charset=utf-8',
    write: (_, items) => [resultHead, ...items.map(resultLine)].join(''),
  }),
  resultRoute('GET /batches/{batch_id}/pain.002', {
    name: 'batches.getStatusReport',
    summary: 'Where the payments of a batch stand, as pain.002.001.10 of ISO 20022',
    type: XML,
    write: (batch, items) => written(pain002Of(batch, items, deps.clock.now())),
  }),
  resultRoute('GET /batches/{batch_id}/camt.054', {
    name: 'batches.getNotification',
    summary: 'What a batch has booked on its wallet, as camt.054.001.08 of ISO 20022',
    type: XML,
    write: (batch, items) => written(camt054Of(batch, items, deps.clock.now())),
  }),
];

const XML = 'application/xml';
const written = (tree: XmlTree): string => writeXml(tree);

interface Result {
  readonly name: `batches.${string}`;
  readonly summary: string;
  readonly type: string;
  write(batch: PaymentBatch, items: readonly BatchItem[]): string;
}

const resultRoute = (
  id: `GET /batches/{batch_id}/${string}`,
  { name, summary, type, write }: Result,
): Route =>
  endpoint(id, {
    name,
    auth: 'user',
    errors: ['NOT_FOUND'],
    summary,
    params,
    reply: { 200: FileBytes },
    fault: 'Failed to write the result',
    async handler({ caller, params, db }) {
      const batch = await requireBatch(db, tenantScopeOf(caller), params.batch_id);
      const bytes = Buffer.from(write(batch, await allItems(db, batch.batch_id)));
      const file = id.slice(id.lastIndexOf('/') + 1);
      const called = `${batch.our_reference}-${type === XML ? `${file}.xml` : file}`;
      return new Download({ name: called, type, size: bytes.length }, partsOf(bytes));
    },
  });

const AT_ONCE = 1000;

/** A thousand in a statement. */
async function allItems(db: Db, batch_id: string): Promise<BatchItem[]> {
  const all: BatchItem[] = [];
  for (let more = true; more; ) {
    const place = { limit: AT_ONCE, before: all.at(-1)?.line };
    const page = await pageOfItems(db, batch_id, {}, place);
    all.push(...page);
    more = page.length === AT_ONCE;
  }
  return all;
}

const PART_BYTES = 2 ** 16;

async function* partsOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
}
