import { Type } from 'typebox';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Inbox } from '#kernel/effects/inbox.ts';
import { fail } from '#kernel/error.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  AmountInput,
  explained,
  Id,
  IdInput,
  MessageField,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
  text,
} from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { format } from '#kernel/money/money.ts';
import { SIMULATED_EVENTS } from '#providers/plaid/port.ts';
import { bankEnvelope, NO_AMOUNT } from './refusals.ts';
import { simulatePayment, simulateTransfer } from './simulate.ts';
import { type TopUpDeps, topUp } from './top-up.ts';
import { topUpNamed } from './top-up-store.ts';
import type { BankLinkWebhook } from './transfer-events.ts';

export type MoneyDeps = TopUpDeps &
  Pick<Kernel, 'clock'> & { readonly inbox: Inbox<BankLinkWebhook> };

const endpoint = endpoints(bankEnvelope);

/** Contract part 3, bank linking: money from a linked account, and events for a sandbox. */
export const moneyRoutes = (deps: MoneyDeps): Route[] => [
  topUpRoute(deps),
  readTopUpRoute(),
  ...simulationRoutes(deps),
  webhookRoute(deps),
];

const topUpRoute = (deps: MoneyDeps): Route =>
  endpoint('POST /banklink/topup', {
    name: 'bankLink.topUp',
    creates: { kind: 'bank_top_up', object: 'payment' },
    movesMoney: true,
    auth: 'user',
    errors: [
      'NOT_FOUND',
      'WALLET_NOT_FOUND',
      'LIMIT_EXCEEDED',
      'DEBT_OUTSTANDING',
      'INSUFFICIENT_BALANCE',
      'PROVIDER_REJECTED',
      'PROVIDER_UNAVAILABLE',
    ],
    summary: "Tops up the caller's USD wallet from its bank account",
    body: Type.Object({
      wallet_id: IdInput,
      amount: AmountInput,
      currency: Type.Optional(oneOfWords(['USD'])),
    }),
    reply: {
      200: Type.Object({
        status: Type.Literal('SUCCESS'),
        transaction_id: Type.String(),
        transaction: Type.Object({
          type: Type.Literal('TOPUP'),
          status: oneOfWords(['PENDING', 'SUCCESS_RECEIVED', 'FAILED', 'RETURNED']),
        }),
      }),
    },
    invalid: NO_AMOUNT,
    fault: 'Failed to top up',
    async handler({ caller, body, request, operation }) {
      const { wallet_id, amount } = body;
      const row = await topUp(deps, { caller, request, operation, wallet_id, amount });
      return {
        status: 'SUCCESS' as const,
        transaction_id: row.top_up_id,
        transaction: { type: 'TOPUP' as const, status: row.status },
      };
    },
  });

const TopUpShown = named('BankTopUp', {
  status: Type.Literal('SUCCESS'),
  transaction_id: Type.String(),
  transaction: Type.Object({
    type: Type.Literal('TOPUP'),
    status: oneOfWords(['PENDING', 'SUCCESS_RECEIVED', 'FAILED', 'RETURNED']),
    wallet_id: Id,
    amount: Type.String(),
    currency: oneOfWords(['USD']),
    failure: TextOrNull,
    created_at: Timestamp,
    settled_at: Nullable(Timestamp),
    returned_at: Nullable(Timestamp),
  }),
});

const readTopUpRoute = (): Route =>
  endpoint('GET /banklink/topup/{transaction_id}/status', {
    name: 'bankLink.getTopUp',
    auth: 'user',
    errors: ['404 TRANSACTION_NOT_FOUND'],
    summary: 'How a bank top-up stands: on its way, received, failed or returned',
    params: Type.Object({
      transaction_id: explained(
        text(200),
        'As the top-up answered it, or the bank’s name of the transfer',
      ),
    }),
    reply: { 200: TopUpShown },
    fault: 'Failed to read the top-up',
    async handler({ caller, params, db }) {
      const row = await topUpNamed(db, tenantScopeOf(caller), params.transaction_id);
      if (!row) throw fail('TRANSACTION_NOT_FOUND', 'Transaction not found', { status: 404 });
      const { top_up_id: transaction_id, status, amount, wallet_id } = row;
      const { failure, created_at, settled_at, returned_at } = row;
      const shown = { wallet_id, amount: format({ asset: 'USD', units: amount }) };
      const times = { created_at, settled_at, returned_at };
      return {
        status: 'SUCCESS' as const,
        transaction_id,
        transaction: {
          type: 'TOPUP' as const,
          status,
          ...shown,
          currency: 'USD' as const,
          failure,
          ...times,
        },
      };
    },
  });

const simulationRoutes = (deps: MoneyDeps): Route[] => [
  endpoint('POST /banklink/transfer', {
    name: 'bankLink.advanceTransfer',
    movesMoney: true,
    auth: 'user',
    errors: ['400 TRANSACTION_NOT_FOUND', 'PROVIDER_REJECTED', 'PROVIDER_UNAVAILABLE'],
    summary: 'Lets a transfer go on in the provider’s sandbox',
    body: Type.Object({
      transfer_id: text(200),
      event_type: Type.Optional(oneOfWords(SIMULATED_EVENTS)),
    }),
    reply: {
      200: Type.Object({
        message: Type.String(),
        data: Type.Object({
          transfer_id: Type.String(),
          event_type: Type.String(),
          timestamp: Timestamp,
        }),
      }),
    },
    fault: 'Failed to simulate transfer',
    async handler({ caller, body }) {
      const { transfer_id, event_type = 'settled' } = body;
      await simulateTransfer(deps, caller, transfer_id, event_type);
      const timestamp = deps.clock.now().toISOString();
      return { message: 'Transfer simulated', data: { transfer_id, event_type, timestamp } };
    },
  }),

  endpoint('POST /banklink/payment', {
    name: 'bankLink.completePayment',
    movesMoney: true,
    auth: 'user',
    errors: ['400 TRANSACTION_NOT_FOUND', 'PROVIDER_REJECTED', 'PROVIDER_UNAVAILABLE'],
    summary: 'Completes a SEPA payment in the provider’s sandbox',
    body: Type.Object({ payment_id: text(200) }),
    reply: {
      200: Type.Object({
        message: Type.String(),
        data: Type.Object({
          payment_id: Type.String(),
          status: Type.Literal('COMPLETED'),
          timestamp: Timestamp,
        }),
      }),
    },
    fault: 'Failed to simulate payment',
    async handler({ body: { payment_id } }) {
      await simulatePayment(deps, payment_id);
      const timestamp = deps.clock.now().toISOString();
      return {
        message: 'Payment simulated',
        data: { payment_id, status: 'COMPLETED' as const, timestamp },
      };
    },
  }),
];

const webhookRoute = ({ bankLink, inboxes, inbox }: MoneyDeps): Route =>
  endpoint('POST /banklink/webhook', {
    name: 'callbacks.receiveBank',
    auth: 'public',
    errors: ['PROVIDER_UNAVAILABLE'],
    summary: 'Webhook of the bank link provider; its signature proves the call',
    // The signature authenticates the call, and a provider sends many from one address.
    limit: 'authenticated',
    signed: bankLink.isGenuine,
    reply: { 200: MessageField },
    atomic: true,
    fault: 'Failed to take the event',
    async handler({ request, db: tx }) {
      const news = bankLink.readWebhook(request.raw, request.headers);
      if (news?.about !== 'transfers') return { message: 'Event ignored' };
      const isNew = await inboxes.receive(tx, inbox, news.name, { about: news.about });
      return { message: isNew ? 'Event received' : 'Event known already' };
    },
  });
