import { Type } from 'typebox';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { cursorPage, cursorReader, moneyListQuery } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { versionMeant } from '#kernel/http/declare/if-match.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  IdInput,
  integerInput,
  MomentInput,
  Nullable,
  nameInput,
  oneOfWords,
  stamped,
} from '#kernel/http/declare/schema.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import { metadataRoute } from '#kernel/object-names/metadata-route.ts';
import { batchActRoutes } from './act-routes.ts';
import { draftBatch } from './draft.ts';
import { patchBatch, replaceItems } from './edit.ts';
import { IMPORT_BYTES_MAX, IMPORT_TYPES } from './imports/read-import.ts';
import { readBatch } from './imports/sent-batch.ts';
import { ItemsInput } from './inputs.ts';
import { ShownItem } from './item-shapes.ts';
import { ITEM_STATUSES, pageOfItems } from './items-store.ts';
import { ownScopeOf, requireBatch } from './reach.ts';
import { resultRoutes } from './results/result-routes.ts';
import { ShownBatch } from './shapes.ts';
import { shownBatches, shownItems, shownOneBatch } from './shown.ts';
import { BATCH_STATUSES, FUNDINGS, pageOfBatches } from './store.ts';
import type { SubmitDeps } from './submit.ts';

const endpoint = endpoints(codedEnvelope);

const One = stamped({ data: ShownBatch });
const params = Type.Object({ batch_id: objectIdInput('bat') });
const NAME_MAX = 140;
const Quoted = Type.Optional(
  explained(
    objectIdInput('qte'),
    'Of the wallet’s owner: payments are in the currency that it buys, and come to what it buys',
  ),
);

/** Many payments out of one wallet, approved together. */
export const batchRoutes = (deps: SubmitDeps): Route[] => [
  draftRoute(deps),
  listRoute(deps),
  readRoute(deps),
  setMetadata(deps),
  itemsRoute(),
  patchRoute(deps),
  replaceRoute(deps),
  ...batchActRoutes(deps),
  ...resultRoutes(deps),
];

const draftRoute = (deps: SubmitDeps): Route =>
  endpoint('POST /batches', {
    name: 'batches.create',
    creates: 'batch',
    movesMoney: true,
    bodyKind: 'payments',
    alsoBytes: { most: IMPORT_BYTES_MAX, types: IMPORT_TYPES },
    auth: 'user',
    errors: [
      ...(['WALLET_NOT_FOUND', 'NOT_FOUND', 'CONFLICT', 'AMOUNT_MISMATCH'] as const),
      ...(['REFERENCE_IN_USE', 'QUOTE_MISMATCH'] as const),
    ],
    summary: 'Drafts up to 10,000 payments out of a wallet; rows that cannot be paid are listed',
    query: Type.Object({
      source_wallet_id: Type.Optional(explained(IdInput, 'Of a CSV table: the wallet that pays')),
      name: Type.Optional(nameInput(NAME_MAX)),
      quote_id: Quoted,
    }),
    body: Type.Object({
      name: Type.Optional(nameInput(NAME_MAX)),
      source_wallet_id: Type.Optional(explained(IdInput, 'The wallet that pays')),
      items: Type.Optional(ItemsInput),
      file_id: Type.Optional(
        explained(objectIdInput('fil'), 'A CSV table or pain.001 with the purpose batch_import'),
      ),
      execute_at: Type.Optional(explained(MomentInput, 'When it is paid; within 90 days')),
      funding: Type.Optional(oneOfWords(FUNDINGS)),
      quote_id: Quoted,
    }),
    example: {
      name: 'Salaries of November',
      source_wallet_id: 3,
      // One of both: a body that shows each field would name items and a file.
      file_id: undefined as never,
      quote_id: undefined as never,
      items: [
        {
          recipient: {
            kind: 'bank',
            name: 'Jane Miller',
            country: 'US',
            currency: 'USD',
            details: { bank_code: '021000021', account_number: '123456789' },
          },
          amount: '12.50',
          reference: 'salary-11-jane',
          note: 'Salary of November',
        },
      ],
    },
    reply: { 201: One },
    fault: 'Failed to draft the batch',
    async handler({ caller, body, query, request, operation }) {
      const read = await readBatch(deps, { caller, body, query, request });
      const row = await draftBatch(deps, { ...read, caller, request, operation });
      return at(201, { data: await shownOneBatch(deps, deps.db, caller, row) });
    },
  });

const listRoute = (deps: SubmitDeps): Route =>
  endpoint('GET /batches', {
    name: 'batches.list',
    auth: 'user',
    console: true,
    csv: 'data.items',
    errors: ['INVALID_PAGINATION'],
    summary: 'Lists batches, newest first',
    query: Type.Object(moneyListQuery(BATCH_STATUSES)),
    reply: { 200: stamped({ data: cursorPage(ShownBatch) }) },
    fault: 'Failed to list batches',
    async handler({ caller, query, db }) {
      const { wanted, page } = cursorReader(query);
      const { rows, looked } = await pageOfBatches(db, tenantScopeOf(caller), query, wanted);
      const items = await shownBatches(deps, db, caller, rows);
      const both = rows.map((row, n) => ({ serial: Number(row.serial), item: items[n] }));
      const data = page(
        both,
        ({ serial }) => serial,
        ({ item }) => item as NonNullable<typeof item>,
        looked,
      );
      return new Paged({ data }, data.next_cursor);
    },
  });

const readRoute = (deps: SubmitDeps): Route =>
  endpoint('GET /batches/{batch_id}', {
    name: 'batches.get',
    auth: 'user',
    console: true,
    errors: ['NOT_FOUND'],
    summary: 'Shows a batch, and how far it is',
    params,
    reply: { 200: One },
    fault: 'Failed to read the batch',
    async handler({ caller, params, db }) {
      const row = await requireBatch(db, tenantScopeOf(caller), params.batch_id);
      return { data: await shownOneBatch(deps, db, caller, row) };
    },
  });

const setMetadata = (deps: SubmitDeps): Route =>
  metadataRoute('PATCH /batches/{batch_id}/metadata', {
    name: 'batches.setMetadata',
    noun: 'a batch',
    params,
    shape: ShownBatch,
    async find(db, caller, { batch_id }) {
      const row = await requireBatch(db, tenantScopeOf(caller), batch_id);
      const { our_reference: id, client_id, user_id } = row;
      return {
        object: { type: 'batch', kind: 'batch', id, client_id, user_id },
        data: await shownOneBatch(deps, db, caller, row),
      };
    },
  });

const itemsRoute = (): Route =>
  endpoint('GET /batches/{batch_id}/items', {
    name: 'batches.listItems',
    auth: 'user',
    console: true,
    csv: 'data.items',
    errors: ['NOT_FOUND', 'INVALID_PAGINATION'],
    summary: 'Lists the payments of a batch in the order of their lines',
    params,
    query: Type.Object(moneyListQuery(ITEM_STATUSES)),
    reply: { 200: stamped({ data: cursorPage(ShownItem) }) },
    fault: 'Failed to list the payments of the batch',
    async handler({ caller, params, query, db }) {
      const { batch_id } = await requireBatch(db, tenantScopeOf(caller), params.batch_id);
      const { wanted, page } = cursorReader({ ...query, batch_id });
      const rows = await pageOfItems(db, batch_id, query, wanted);
      const items = await shownItems(db, rows);
      const data = page(
        items,
        ({ line }) => line,
        (item) => item,
      );
      return new Paged({ data }, data.next_cursor);
    },
  });

const VersionMeant = Type.Optional(integerInput(1, ID_MAX));

const patchRoute = (deps: SubmitDeps): Route =>
  endpoint('PATCH /batches/{batch_id}', {
    name: 'batches.update',
    movesMoney: true,
    auth: 'user',
    errors: ['NOT_FOUND', '409 INVALID_STATUS', 'VERSION_CONFLICT'],
    summary: 'Changes name or time of a batch; what was submitted is a draft again',
    params,
    body: Type.Object({
      name: Type.Optional(nameInput(NAME_MAX)),
      execute_at: Type.Optional(explained(Nullable(MomentInput), 'Null: as soon as it may')),
      version: VersionMeant,
    }),
    reply: { 200: One },
    fault: 'Failed to change the batch',
    async handler({ caller, params, body, request, db }) {
      const before = await requireBatch(db, ownScopeOf(caller), params.batch_id);
      const version = versionMeant(body, request.headers);
      const row = await patchBatch(deps, before, body, { caller, request, version });
      return { data: await shownOneBatch(deps, deps.db, caller, row) };
    },
  });

const replaceRoute = (deps: SubmitDeps): Route =>
  endpoint('PUT /batches/{batch_id}/items', {
    name: 'batches.replaceItems',
    movesMoney: true,
    bodyKind: 'payments',
    auth: 'user',
    errors: [
      ...(['NOT_FOUND', 'WALLET_NOT_FOUND', '409 INVALID_STATUS', 'VERSION_CONFLICT'] as const),
      'QUOTE_MISMATCH',
    ],
    summary: 'Puts other payments in the place of all; what was submitted is a draft again',
    params,
    body: Type.Object({
      items: ItemsInput,
      quote_id: Type.Optional(
        explained(Nullable(objectIdInput('qte')), 'Null for none; left out, it stays'),
      ),
      version: VersionMeant,
    }),
    reply: { 200: One },
    fault: 'Failed to replace the payments of the batch',
    async handler({ caller, params, body, request, db }) {
      const before = await requireBatch(db, ownScopeOf(caller), params.batch_id);
      const version = versionMeant(body, request.headers);
      const rows = body.items.map((item, n) => ({ ...item, line: n + 1 }));
      const sent = { rows, quote_id: body.quote_id };
      const row = await replaceItems(deps, before, sent, { caller, request, version });
      return { data: await shownOneBatch(deps, deps.db, caller, row) };
    },
  });
