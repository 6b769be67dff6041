import { Type } from 'typebox';
import { QUOTE_ERRORS } from '#features/fiat/fx/fx.ts';
import { operatorOnly, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { doubtsOf } from '#kernel/effects/doubts.ts';
import { fail } from '#kernel/error.ts';
import { cursorPage, cursorReader, moneyListQuery } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { requiredVersion } from '#kernel/http/declare/if-match.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, Paged, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import { explained, integerInput, stamped, text, textInput } from '#kernel/http/declare/schema.ts';
import { metadataRoute } from '#kernel/object-names/metadata-route.ts';
import { namesReaderOf } from '#kernel/object-names/object-names.ts';
import { POLICY_ERRORS } from '#kernel/policies/policy.ts';
import { approveAdvance, proposeAdvance } from './advance.ts';
import { beginBridge } from './begin.ts';
import type { BridgeDeps } from './deps.ts';
import { ShownBridgeTransfer, shownBridgeTransfer } from './shapes.ts';
import {
  BRIDGE_STATUSES,
  type BridgeRow,
  bridgeInScope,
  listBridgeTransfers,
  withSteps,
} from './store.ts';

const endpoint = endpoints(codedEnvelope);
const One = stamped({ data: ShownBridgeTransfer });
const params = Type.Object({ bridge_transfer_id: objectIdInput('brt') });

/** Transfers over the bridge, from their beginning to their end. */
export const bridgeTransferRoutes = (deps: BridgeDeps): Route[] => [
  createRoute(deps),
  listRoute(deps),
  readRoute(deps),
  metadataOf(deps),
  advanceRoute(deps),
  approveRoute(deps),
];

const createRoute = (deps: BridgeDeps): Route =>
  endpoint('POST /bridge/transfers', {
    name: 'bridge.create',
    auth: 'user',
    requiresKey: true,
    creates: 'bridge_transfer',
    errors: [
      ...QUOTE_ERRORS,
      ...(['WALLET_NOT_FOUND', 'INSUFFICIENT_BALANCE', 'RAIL_NOT_AVAILABLE'] as const),
      ...(['LIMIT_EXCEEDED', 'PROVIDER_UNAVAILABLE', 'PROVIDER_REJECTED'] as const),
      ...POLICY_ERRORS,
    ],
    summary: 'Moves USDC from a wallet of yours to an address on another chain, by a quote',
    body: Type.Object({
      quote_id: objectIdInput('qte'),
      source: Type.Object({
        address: explained(text(100), 'A managed address of one’s own on the first chain'),
      }),
    }),
    reply: { 201: One },
    fault: 'Failed to begin the transfer',
    async handler({ caller, body, request, operation }) {
      const { quote_id, source } = body;
      const order = { caller, request, operation, quote_id, source: source.address };
      const row = await beginBridge(deps, order);
      return at(201, { data: await shownOne(deps, deps.db, caller, row) });
    },
  });

const listRoute = (deps: BridgeDeps): Route =>
  endpoint('GET /bridge/transfers', {
    name: 'bridge.list',
    csv: 'data.items',
    auth: 'user',
    errors: ['INVALID_PAGINATION'],
    summary: 'Lists transfers over the bridge, newest first',
    query: Type.Object(moneyListQuery(BRIDGE_STATUSES)),
    reply: { 200: stamped({ data: cursorPage(ShownBridgeTransfer) }) },
    fault: 'Failed to list transfers',
    async handler({ caller, query, db }) {
      const { wanted, page } = cursorReader(query);
      const scope = tenantScopeOf(caller);
      const { rows, looked } = await listBridgeTransfers(db, scope, query, wanted);
      const all = await shown(deps, db, caller, rows);
      const data = page(
        rows.map(({ serial }, n) => ({ serial, item: all[n] })),
        ({ serial }) => serial,
        ({ item }) => item as NonNullable<typeof item>,
        looked,
      );
      return new Paged({ data }, data.next_cursor);
    },
  });

const readRoute = (deps: BridgeDeps): Route =>
  endpoint('GET /bridge/transfers/{bridge_transfer_id}', {
    name: 'bridge.get',
    auth: 'user',
    errors: ['NOT_FOUND'],
    summary: 'Shows a transfer over the bridge, with what was done on each chain',
    params,
    reply: { 200: One },
    fault: 'Failed to read the transfer',
    async handler({ caller, params: { bridge_transfer_id }, db }) {
      const row = await bridgeInScope(db, tenantScopeOf(caller), bridge_transfer_id);
      if (!row) throw fail('NOT_FOUND', 'Bridge transfer not found');
      return { data: await shownOne(deps, db, caller, row) };
    },
  });

const metadataOf = (deps: BridgeDeps): Route =>
  metadataRoute('PATCH /bridge/transfers/{bridge_transfer_id}/metadata', {
    name: 'bridge.setMetadata',
    noun: 'a transfer over the bridge',
    params,
    shape: ShownBridgeTransfer,
    async find(db, caller, { bridge_transfer_id }) {
      const row = await bridgeInScope(db, tenantScopeOf(caller), bridge_transfer_id);
      if (!row) throw fail('NOT_FOUND', 'Bridge transfer not found');
      const { object_id: id, client_id, user_id } = row;
      return {
        object: { type: 'bridge_transfer', kind: 'bridge_transfer', id, client_id, user_id },
        data: await shownOne(deps, db, caller, row),
      };
    },
  });

const operator = { auth: 'admin', permit: operatorOnly, proof: true, movesMoney: true } as const;

const advanceRoute = (deps: BridgeDeps): Route =>
  endpoint('POST /bridge/transfers/{bridge_transfer_id}/advance', {
    name: 'bridge.proposeAdvance',
    ...operator,
    errors: ['NOT_FOUND', '409 INVALID_STATUS'],
    summary: 'Proposes to pay the source of a stalled transfer ahead of its mint; for the operator',
    params,
    body: Type.Object({ reason: textInput(500) }),
    example: { reason: 'The far chain has been away for two days' },
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to propose it',
    async handler({ caller, params: { bridge_transfer_id }, body: { reason }, request, db }) {
      const row = await proposeAdvance(db, { bridge_transfer_id, caller, request, reason });
      return { data: await shownOne(deps, db, caller, row) };
    },
  });

const approveRoute = (deps: BridgeDeps): Route =>
  endpoint('POST /bridge/transfers/{bridge_transfer_id}/advance/approve', {
    name: 'bridge.approveAdvance',
    ...operator,
    errors: ['NOT_FOUND', '409 INVALID_STATUS', 'SECOND_PERSON_REQUIRED', 'VERSION_CONFLICT'],
    summary: 'Pays the source of a stalled transfer from the treasury, as a second operator',
    params,
    body: Type.Object({
      version: Type.Optional(
        explained(integerInput(1, 1_000_000_000), 'Of the transfer, here or as If-Match'),
      ),
    }),
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to approve it',
    async handler({ caller, params: { bridge_transfer_id }, body, request, db }) {
      const version = requiredVersion(body, request.headers);
      const row = await approveAdvance(deps, db, { bridge_transfer_id, caller, request, version });
      return { data: await shownOne(deps, db, caller, row) };
    },
  });

/** With their steps, what callers call them, and what is in doubt. */
async function shown(
  { places }: BridgeDeps,
  db: Db,
  caller: UserCaller,
  rows: readonly BridgeRow[],
) {
  const whole = await withSteps(db, rows, namesReaderOf(caller));
  const doubts = await doubtsOf(
    db,
    rows.flatMap(({ object_id, leg_id }) => (leg_id === null ? [object_id] : [object_id, leg_id])),
  );
  return whole.map((row) =>
    shownBridgeTransfer(row, places, doubts.get(row.object_id) ?? doubts.get(row.leg_id ?? '')),
  );
}

async function shownOne(deps: BridgeDeps, db: Db, caller: UserCaller, row: BridgeRow) {
  const [one] = await shown(deps, db, caller, [row]);
  if (!one) throw new Error(`${row.object_id} cannot be shown`);
  return one;
}
