import { Type } from 'typebox';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { cursorPage, cursorReader, moneyListQuery } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import { explained, IdInput, oneOfWords, stamped } from '#kernel/http/declare/schema.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { objectId } from '#kernel/object-id.ts';
import { metadataRoute } from '#kernel/object-names/metadata-route.ts';
import { dropApproval } from '#kernel/policies/approvals.ts';
import { claimTransfer } from './claim.ts';
import type { TransferDeps } from './deps.ts';
import { listTransfers } from './list-store.ts';
import { ShownTransfer, shownTransferTo, TRANSFER_SIDES } from './presenters.ts';
import { endTransfer } from './settle.ts';
import {
  findWalletTransfer,
  lockWalletTransfer,
  OPEN_STATUSES,
  WALLET_TRANSFER_STATUSES,
} from './store.ts';

const endpoint = endpoints(codedEnvelope);
const One = stamped({ data: ShownTransfer });
const params = Type.Object({ transfer_id: objectIdInput('trf') });

const listRoute: Route = endpoint('GET /wallets/fiat/transfers', {
  name: 'walletTransfers.list',
  csv: 'data.items',
  auth: 'user',
  errors: ['INVALID_PAGINATION'],
  summary: 'Lists what one has sent and received, newest first',
  query: Type.Object({
    side: Type.Optional(explained(oneOfWords(TRANSFER_SIDES), 'Only what was sent, or received')),
    ...moneyListQuery(WALLET_TRANSFER_STATUSES),
  }),
  reply: { 200: stamped({ data: cursorPage(ShownTransfer) }) },
  fault: 'Failed to list transfers',
  async handler({ caller: { user_id }, query, db }) {
    const { wanted, page } = cursorReader(query);
    const { rows, looked } = await listTransfers(db, user_id, query, wanted);
    const data = page(
      rows,
      ({ serial }) => serial,
      (row) => shownTransferTo(row, user_id),
      looked,
    );
    return new Paged({ data }, data.next_cursor);
  },
});

const readRoute: Route = endpoint('GET /wallets/fiat/transfers/{transfer_id}', {
  name: 'walletTransfers.get',
  auth: 'user',
  errors: ['NOT_FOUND'],
  summary: 'Shows a transfer to either side',
  params,
  reply: { 200: One },
  fault: 'Failed to read the transfer',
  async handler({ caller, params, db }) {
    const found = await findWalletTransfer(db, tenantScopeOf(caller), params.transfer_id);
    if (!found) throw fail('NOT_FOUND', 'Transfer not found');
    return { data: shownTransferTo(found, caller.user_id) };
  },
});

const setMetadata = metadataRoute('PATCH /wallets/fiat/transfers/{transfer_id}/metadata', {
  name: 'walletTransfers.setMetadata',
  noun: 'a transfer that one has sent',
  params,
  shape: ShownTransfer,
  async find(db, caller, { transfer_id }) {
    const found = await findWalletTransfer(db, tenantScopeOf(caller), transfer_id);
    if (!found) throw fail('NOT_FOUND', 'Transfer not found');
    const { object_id: id, client_id, user_id } = found;
    return {
      object: { type: 'wallet_transfer', kind: 'wallet_transfer', id, client_id, user_id },
      data: shownTransferTo(found, caller.user_id),
    };
  },
});

const cancelRoute = (deps: TransferDeps): Route =>
  endpoint('POST /wallets/fiat/transfers/{transfer_id}/cancel', {
    name: 'walletTransfers.cancel',
    auth: 'user',
    movesMoney: true,
    errors: ['NOT_FOUND', '409 INVALID_STATUS'],
    summary: 'Takes a transfer back that has not arrived',
    params,
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to cancel the transfer',
    async handler({ caller: { user_id }, params: { transfer_id }, db }) {
      // In the order of those who approve it.
      const id = objectId('trf', transfer_id);
      await dropApproval(db, { type: 'wallet_transfer', id }, deps.clock.now());
      const transfer = await lockWalletTransfer(db, transfer_id);
      if (transfer?.user_id !== user_id) throw fail('NOT_FOUND', 'Transfer not found');
      if (transfer.status === 'CANCELLED') return { data: shownTransferTo(transfer, user_id) };
      if (!(OPEN_STATUSES as readonly string[]).includes(transfer.status))
        throw notAllowedIn(transfer.status, OPEN_STATUSES);
      const { ended, freeing } = await endTransfer(deps, db, transfer, { status: 'CANCELLED' });
      await postWithin(db, freeing);
      return { data: shownTransferTo(ended, user_id) };
    },
  });

const claimRoute = (deps: TransferDeps): Route =>
  endpoint('POST /wallets/fiat/transfers/{transfer_id}/claim', {
    name: 'walletTransfers.claim',
    auth: 'user',
    requiresKey: true,
    errors: [
      ...(['NOT_FOUND', 'VERIFICATION_REQUIRED', '409 INVALID_STATUS', 'SAME_WALLET'] as const),
      ...(['WALLET_NOT_FOUND', 'CURRENCY_MISMATCH'] as const),
    ],
    summary: 'Takes money that was sent to an address of one’s own',
    params,
    body: Type.Object({
      claim_token: explained(
        Type.String({ pattern: '^[0-9a-f]{36}$' }),
        'Of the link in the message',
      ),
      wallet_id: Type.Optional(
        explained(IdInput, 'A wallet of one’s own; else that of the currency, which is opened'),
      ),
    }),
    example: { claim_token: '0123456789abcdef0123456789abcdef0123' },
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to claim the money',
    async handler({ caller, params, body, db }) {
      const claimed = await claimTransfer(deps, db, {
        caller,
        transfer_id: params.transfer_id,
        token: body.claim_token,
        wallet_id: body.wallet_id,
      });
      return { data: shownTransferTo(claimed, caller.user_id) };
    },
  });

/** What is done with a transfer once it is there. */
export const transferActRoutes = (deps: TransferDeps): Route[] => [
  listRoute,
  readRoute,
  setMetadata,
  cancelRoute(deps),
  claimRoute(deps),
];
