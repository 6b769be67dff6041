import type {
  ACHClass,
  CountryCode,
  Products,
  TransferEventType,
  TransferNetwork,
  TransferType,
} from 'plaid';
import type { Clock } from '#kernel/clock.ts';
import { done, type Outcome, refused, unknown } from '../../kernel/provider-call.ts';
import { meaningOf } from '../code-table.ts';
import { type PlaidCall, type PlaidSettings, plaidClient } from './client.ts';
import { PLAID_DECISIONS } from './plaid-codes.ts';
import type {
  AuthorizationRequest,
  BankLink,
  EventQuery,
  LinkTokenRequest,
  PlaidTransfer,
  TransferRequest,
} from './port.ts';
import { EVENT_PAGE } from './port.ts';
import { readWebhook, webhookVerifier } from './signature.ts';
import {
  DESCRIPTION,
  toAccount,
  toPlaidEvent,
  toTransfer,
  WireAccounts,
  WireAck,
  WireAuthorization,
  WireEventPage,
  WireExchange,
  WireKey,
  WireLinkToken,
  WirePublicToken,
  WireTransferAnswer,
} from './wire.ts';

const CLIENT_NAME = 'Archipay';
const SYNCED_AT_ONCE = 100;
/** The bank that Plaid's own sandbox and ours have. */
const SANDBOX_BANK = 'ins_109508';
const PRODUCTS = ['auth', 'transfer'] as Products[];

/** Speaks Plaid's API by its own client library. */
export function bankLink(settings: PlaidSettings & { readonly clock: Clock }): BankLink {
  const ask = plaidClient(settings);
  return {
    ...linking(ask),
    ...transfers(ask),
    ...eventReads(ask),
    ...simulations(ask),
    isGenuine: webhookVerifier({
      clock: settings.clock,
      fetchKey: async (kid) => {
        const found = await ask('key', WireKey, (api, options) =>
          api.webhookVerificationKeyGet({ key_id: kid }, options),
        );
        return found.kind === 'done' ? done(found.value.key) : found;
      },
    }),
    readWebhook,
    mode: () => modeOf(settings.url()),
  };
}

/** An address that is not known to be a sandbox counts as production. */
function modeOf(url: string): 'sandbox' | 'production' {
  const hostname = URL.parse(url)?.hostname ?? '';
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return isLocal || /(^|[.-])sandbox([.-]|$)/.test(hostname) ? 'sandbox' : 'production';
}

type Linking = 'createLinkToken' | 'exchange' | 'accounts' | 'removeItem' | 'sandboxPublicToken';

const linking = (ask: PlaidCall): Pick<BankLink, Linking> => ({
  async createLinkToken(request) {
    const made = await ask('link-token', WireLinkToken, (api, options) =>
      api.linkTokenCreate(linkRequest(request), options),
    );
    if (made.kind !== 'done') return made;
    const { link_token, expiration } = made.value;
    return done({ linkToken: link_token, expiresAt: new Date(expiration).toISOString() });
  },

  async exchange(publicToken) {
    const made = await ask('exchange', WireExchange, (api, options) =>
      api.itemPublicTokenExchange({ public_token: publicToken }, options),
    );
    if (made.kind !== 'done') return made;
    return done({ accessToken: made.value.access_token, itemId: made.value.item_id });
  },

  async accounts(accessToken) {
    const found = await ask('accounts', WireAccounts, (api, options) =>
      api.accountsGet({ access_token: accessToken }, options),
    );
    return found.kind === 'done' ? done(found.value.accounts.map(toAccount)) : found;
  },

  async removeItem(accessToken) {
    const removed = await ask('item-remove', WireAck, (api, options) =>
      api.itemRemove({ access_token: accessToken }, options),
    );
    if (removed.kind === 'refused' && GONE.has(removed.code)) return done(undefined);
    return removed.kind === 'done' ? done(undefined) : removed;
  },

  async sandboxPublicToken() {
    const request = { institution_id: SANDBOX_BANK, initial_products: PRODUCTS };
    const made = await ask('sandbox-public-token', WirePublicToken, (api, options) =>
      api.sandboxPublicTokenCreate(request, options),
    );
    return made.kind === 'done' ? done(made.value.public_token) : made;
  },
});

/** The provider's codes of a log-in that no longer exists. */
const GONE: ReadonlySet<string> = new Set(['ITEM_NOT_FOUND', 'INVALID_ACCESS_TOKEN']);

const linkRequest = ({ userId, phone, webhookUrl }: LinkTokenRequest) => ({
  client_name: CLIENT_NAME,
  language: 'en',
  country_codes: ['US'] as CountryCode[],
  products: PRODUCTS,
  user: { client_user_id: userId, ...(phone !== undefined && { phone_number: phone }) },
  webhook: webhookUrl,
});

type Transfers = 'authorize' | 'createTransfer' | 'findTransfer' | 'transfer';

const transfers = (ask: PlaidCall): Pick<BankLink, Transfers> => ({
  async authorize(request) {
    const made = await ask('authorize', WireAuthorization, (api, options) =>
      api.transferAuthorizationCreate(authorizationRequest(request), options),
    );
    if (made.kind !== 'done') return made;
    const { id, decision, decision_rationale: why } = made.value.authorization;
    const meaning = meaningOf(PLAID_DECISIONS, decision);
    if (meaning === undefined) return unknown('a decision of another kind');
    if (meaning === 'done') return done(id);
    if (decision === 'user_action_required')
      return refused('USER_ACTION_REQUIRED', 'The bank wants its owner to log in there again');
    return refused(why?.code ?? 'DECLINED', why?.description ?? 'The transfer was declined');
  },

  async createTransfer(request) {
    return one(
      await ask('transfer', WireTransferAnswer, (api, options) =>
        api.transferCreate(transferRequest(request), options),
      ),
    );
  },

  async findTransfer(authorizationId) {
    const found = one(
      await ask('find-transfer', WireTransferAnswer, (api, options) =>
        api.transferGet({ authorization_id: authorizationId }, options),
      ),
    );
    if (found.kind !== 'refused') return found;
    if (UNSEEN.has(found.code) || found.status === 404) return done(undefined);
    // A failed look-up does not prove whether it was made.
    return unknown(found.code);
  },

  async transfer(transferId) {
    return one(
      await ask('transfer-get', WireTransferAnswer, (api, options) =>
        api.transferGet({ transfer_id: transferId }, options),
      ),
    );
  },
});

const eventReads = (ask: PlaidCall): Pick<BankLink, 'eventsAfter' | 'eventsBetween'> => ({
  async eventsAfter(eventId) {
    const found = await ask('events', WireEventPage, (api, options) =>
      api.transferEventSync({ after_id: eventId, count: SYNCED_AT_ONCE }, options),
    );
    if (found.kind !== 'done') return found;
    const { transfer_events, has_more = false } = found.value;
    return done({ events: transfer_events.map(toPlaidEvent), hasMore: has_more });
  },

  async eventsBetween(query) {
    const found = await ask('event-list', WireEventPage, (api, options) =>
      api.transferEventList(eventRequest(query), options),
    );
    if (found.kind !== 'done') return found;
    const { transfer_events: events, has_more = events.length >= EVENT_PAGE } = found.value;
    return done({ events: events.map(toPlaidEvent), hasMore: has_more });
  },
});

const UNSEEN: ReadonlySet<string> = new Set(['NOT_FOUND', 'TRANSFER_NOT_FOUND']);

const one = (answer: Outcome<{ transfer: PlaidTransfer }>): Outcome<PlaidTransfer> =>
  answer.kind === 'done' ? done(toTransfer(answer.value.transfer)) : answer;

const authorizationRequest = (request: AuthorizationRequest) => ({
  access_token: request.accessToken,
  account_id: request.accountId,
  type: 'debit' as TransferType,
  network: 'ach' as TransferNetwork,
  // A consumer's consent over the Internet.
  ach_class: 'web' as ACHClass,
  amount: request.amount,
  user: { legal_name: request.legalName },
  idempotency_key: request.reference,
  user_present: true,
});

const transferRequest = (request: TransferRequest) => ({
  access_token: request.accessToken,
  account_id: request.accountId,
  authorization_id: request.authorizationId,
  amount: request.amount,
  description: DESCRIPTION,
  metadata: { reference: request.reference },
});

const eventRequest = ({ from, to, types, transferId, offset }: EventQuery) => ({
  start_date: from.toISOString(),
  // Theirs is inclusive.
  end_date: new Date(to.getTime() - 1).toISOString(),
  event_types: [...types] as TransferEventType[],
  ...(transferId !== undefined && { transfer_id: transferId }),
  count: EVENT_PAGE,
  offset,
});

type Simulations = 'simulateTransfer' | 'simulatePayment';

const simulations = (ask: PlaidCall): Pick<BankLink, Simulations> => ({
  async simulateTransfer(transferId, event, webhookUrl) {
    const request = { transfer_id: transferId, event_type: event, webhook: webhookUrl };
    return acknowledged(
      await ask('simulate-transfer', WireAck, (api, options) =>
        api.sandboxTransferSimulate(request, options),
      ),
    );
  },

  async simulatePayment(paymentId, webhookUrl) {
    const status = 'PAYMENT_STATUS_SETTLED';
    return acknowledged(
      await ask('simulate-payment', WireAck, (api, options) =>
        api.sandboxPaymentSimulate({ payment_id: paymentId, webhook: webhookUrl, status }, options),
      ),
    );
  },
});

const acknowledged = (answer: Outcome<unknown>): Outcome<undefined> =>
  answer.kind === 'done' ? done(undefined) : answer;
