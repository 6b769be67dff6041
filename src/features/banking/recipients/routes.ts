import { Type } from 'typebox';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { cursorPage, cursorQuery, cursorReader } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { requireVersion, versionMeant } from '#kernel/http/declare/if-match.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import {
  CountryInput,
  Email,
  explained,
  integerInput,
  Json,
  Nullable,
  nameInput,
  stamped,
} from '#kernel/http/declare/schema.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import { CurrencyField } from '#kernel/money/amount-fields.ts';
import { metadataRoute } from '#kernel/object-names/metadata-route.ts';
import { namesReaderOf } from '#kernel/object-names/object-names.ts';
import type { AskAgain } from './ask-again.ts';
import {
  addRecipient,
  checkAgain,
  editRecipient,
  type RecipientDeps,
  removeRecipient,
} from './change.ts';
import { withNamesOfOne, withRecipientNames } from './recipient-names.ts';
import { recipientRailOf, requirementsOf } from './requirements.ts';
import {
  KindField,
  RecipientDetailsInput,
  recipientIdOf,
  ShownRecipient,
  shownRecipient,
} from './shapes.ts';
import { findRecipient, listRecipients, type PaidRecipient } from './store.ts';

const endpoint = endpoints(codedEnvelope);

type Deps = RecipientDeps & { readonly askAgain: AskAgain };

const One = stamped({ data: ShownRecipient });
const params = Type.Object({ recipient_id: objectIdInput('rcp') });
const DETAIL_ERRORS = [
  ...(['RAIL_NOT_AVAILABLE', 'WALLET_NOT_FOUND', 'CURRENCY_MISMATCH'] as const),
  ...(['DUPLICATE_RECIPIENT', '429 LIMIT_EXCEEDED'] as const),
] as const;

/** Whom users pay, and what each rail needs of them. */
export const recipientRoutes = (deps: Deps): Route[] => [
  requirementsRoute,
  createRoute(deps),
  listRoute,
  readRoute,
  editRoute(deps),
  deleteRoute(deps),
  verifyRoute(deps),
  setMetadata,
];

const requirementsRoute = endpoint('GET /recipients/requirements', {
  name: 'recipients.getRequirements',
  auth: 'key',
  errors: ['RAIL_NOT_AVAILABLE'],
  summary: 'The schema of the details of a recipient, by kind, country and currency',
  query: Type.Object({
    kind: KindField,
    country: Type.Optional(CountryInput),
    currency: Type.Optional(CurrencyField),
  }),
  reply: {
    200: stamped({
      data: explained(Json, 'A JSON Schema of draft 2020-12, by which the details are validated'),
    }),
  },
  fault: 'Failed to read the requirements',
  handler: async ({ query }) => ({ data: requirementsOf(recipientRailOf(query)) }),
});

const createRoute = (deps: Deps): Route =>
  endpoint('POST /recipients', {
    name: 'recipients.create',
    creates: 'recipient',
    movesMoney: true,
    auth: 'user',
    errors: [...DETAIL_ERRORS, '409 LIMIT_EXCEEDED'],
    summary: 'Adds a recipient; the bank is asked whether the account is in that name',
    body: Type.Object({
      name: nameInput(140),
      kind: KindField,
      country: Type.Optional(CountryInput),
      currency: Type.Optional(CurrencyField),
      details: RecipientDetailsInput,
      email: Type.Optional(Email),
    }),
    example: {
      name: 'Siti Rahma',
      kind: 'bank',
      country: 'ID',
      currency: 'IDR',
      details: { bank_code: 'BCA', account_number: '1234567890' },
    },
    reply: { 201: One },
    fault: 'Failed to add the recipient',
    async handler({ caller, body, request }) {
      return at(201, { data: shownRecipient(await addRecipient(deps, body, { caller, request })) });
    },
  });

const listRoute = endpoint('GET /recipients', {
  name: 'recipients.list',
  auth: 'user',
  errors: ['INVALID_PAGINATION'],
  summary: 'Lists recipients, newest first',
  query: Type.Object({
    ...cursorQuery,
    kind: Type.Optional(KindField),
  }),
  reply: { 200: stamped({ data: cursorPage(ShownRecipient) }) },
  fault: 'Failed to list recipients',
  async handler({ caller, query, db }) {
    const { wanted, page } = cursorReader(query);
    const found = await listRecipients(db, tenantScopeOf(caller), query, wanted);
    const named = await withRecipientNames(db, found, namesReaderOf(caller));
    return { data: page(named, ({ row }) => Number(row.serial), shownRecipient) };
  },
});

const readRoute = endpoint('GET /recipients/{recipient_id}', {
  name: 'recipients.get',
  auth: 'user',
  errors: ['NOT_FOUND'],
  summary: 'Shows a recipient',
  params,
  reply: { 200: One },
  fault: 'Failed to read the recipient',
  async handler({ caller, params, db }) {
    const row = await requireRecipient(db, caller, params.recipient_id);
    return { data: shownRecipient(await withNamesOfOne(db, row, namesReaderOf(caller))) };
  },
});

async function requireRecipient(db: Db, caller: UserCaller, id: string): Promise<PaidRecipient> {
  const row = await findRecipient(db, tenantScopeOf(caller), id);
  if (!row) throw fail('NOT_FOUND', 'Recipient not found');
  return row;
}

const editRoute = (deps: Deps): Route =>
  endpoint('PATCH /recipients/{recipient_id}', {
    name: 'recipients.update',
    movesMoney: true,
    auth: 'user',
    errors: ['NOT_FOUND', ...DETAIL_ERRORS, 'VERSION_CONFLICT'],
    summary: 'Changes a recipient; another account is verified, and paid after 24 hours',
    params,
    body: Type.Object({
      name: Type.Optional(nameInput(140)),
      email: Type.Optional(Nullable(Email)),
      details: Type.Optional(
        explained(RecipientDetailsInput, 'All details of the new account; kind and currency stay'),
      ),
      version: Type.Optional(integerInput(1, ID_MAX)),
    }),
    example: {
      name: 'Siti Rahmawati',
      details: { bank_code: 'BCA', account_number: '1234567891' },
    },
    reply: { 200: One },
    fault: 'Failed to change the recipient',
    async handler({ caller, params, body, request, db }) {
      const row = await requireRecipient(db, caller, params.recipient_id);
      requireVersion(row.version, versionMeant(body, request.headers));
      return { data: shownRecipient(await editRecipient(deps, row, body, { caller, request })) };
    },
  });

const deleteRoute = (deps: Deps): Route =>
  endpoint('DELETE /recipients/{recipient_id}', {
    name: 'recipients.delete',
    auth: 'user',
    errors: ['NOT_FOUND', '409 INVALID_STATUS'],
    summary: 'Hides a recipient to whom no payment is open',
    params,
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to delete the recipient',
    async handler({ caller, params, request, db }) {
      const by = { caller, request };
      return { data: shownRecipient(await removeRecipient(deps, db, params.recipient_id, by)) };
    },
  });

const verifyRoute = (deps: Deps): Route =>
  endpoint('POST /recipients/{recipient_id}/verify', {
    name: 'recipients.verify',
    auth: 'user',
    errors: ['NOT_FOUND', 'RAIL_NOT_AVAILABLE', 'VERSION_CONFLICT', '429 LIMIT_EXCEEDED'],
    summary: 'Asks the bank again whether the account is in that name, ten times a day',
    params,
    reply: { 200: One },
    fault: 'Failed to verify the recipient',
    async handler({ caller, params, request, db }) {
      const row = await requireRecipient(db, caller, params.recipient_id);
      return { data: shownRecipient(await checkAgain(deps, row, { caller, request })) };
    },
  });

const setMetadata = metadataRoute('PATCH /recipients/{recipient_id}/metadata', {
  name: 'recipients.setMetadata',
  noun: 'a recipient',
  params,
  shape: ShownRecipient,
  async find(db, caller, { recipient_id }) {
    const row = await requireRecipient(db, caller, recipient_id);
    const { client_id, user_id } = row;
    return {
      object: { type: 'recipient', kind: 'recipient', id: recipientIdOf(row), client_id, user_id },
      data: shownRecipient(await withNamesOfOne(db, row, namesReaderOf(caller))),
    };
  },
});
