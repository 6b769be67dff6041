import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { type FiatWallet, findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { clientHomeOf } from '#kernel/access/client-home.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import {
  IdInput,
  Json,
  MessageField,
  Nullable,
  oneOfWords,
  Timestamp,
  text,
} from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import { PhoneInput, requirePhone } from '#kernel/phone.ts';
import { spendOne } from './ceilings.ts';
import { type BankDeps, type ConnectEffect, connectBankLink, type LinkFacts } from './connect.ts';
import {
  type BankLinkConnection,
  connectionByToken,
  connectionsOf,
  findConnection,
  keepLinkToken,
  linkedWalletOf,
} from './connection-store.ts';
import { disconnectBankLink, type RemovalEffect } from './disconnect.ts';
import {
  BAD_WALLET,
  bankEnvelope,
  bankLinkAnswerOf,
  isGone,
  noConnection,
  noWallet,
  unavailable,
} from './refusals.ts';
import { webhookUrl } from './simulate.ts';
import { printOf, tokenOf } from './tokens.ts';

export type BankLinkRouteDeps = BankDeps & {
  readonly connecting: ConnectEffect;
  readonly removing: RemovalEffect;
};

const endpoint = endpoints(bankEnvelope);

const PublicToken = text(1000);
const AccessToken = text(1000);
const ByWallet = Type.Object({ wallet_id: IdInput });
const Account = named('LinkedAccount', {
  account_id: Type.String(),
  balances: Type.Object({
    available: Nullable(Type.Number()),
    current: Nullable(Type.Number()),
    iso_currency_code: Nullable(Type.String()),
  }),
  name: Type.String(),
  type: Type.String(),
  subtype: Nullable(Type.String()),
  mask: Nullable(Type.String()),
});

/** Contract part 3, bank linking: connections of wallets with bank accounts. */
export const bankLinkRoutes = (deps: BankLinkRouteDeps): Route[] => [
  ...linkingRoutes(deps),
  ...connectionRoutes(deps),
  ...tokenRoutes(deps),
];

const linkingRoutes = (deps: BankLinkRouteDeps): Route[] => [
  endpoint('POST /banklink/link-token/create', {
    name: 'bankLink.createToken',
    auth: 'user',
    errors: ['WALLET_NOT_FOUND', 'USER_NOT_FOUND', 'PROVIDER_REJECTED', 'PROVIDER_UNAVAILABLE'],
    summary: 'A token with which a person links a bank account to a wallet',
    body: Type.Object({ wallet_id: IdInput, phone_number: Type.Optional(PhoneInput) }),
    reply: {
      200: Type.Object({
        status: Type.Literal('SUCCESS'),
        link_token: secret(Type.String()),
        expiration: Timestamp,
      }),
    },
    invalid: 'wallet_id required',
    fault: 'Failed to create link token',
    async handler({ caller, body, db }) {
      const wallet = await ownWallet(db, caller, body.wallet_id);
      if (!wallet) throw fail('USER_NOT_FOUND', 'User not found for wallet');
      const phone = await phoneOf(db, caller, body.phone_number);
      await spendOne(deps, db, 'bank links', wallet.user_id);
      const { linkToken, expiresAt } = bankLinkAnswerOf(
        await deps.bankLink.createLinkToken({
          userId: String(wallet.user_id),
          ...phone,
          webhookUrl: webhookUrl(deps),
        }),
      );
      await keepLinkToken(db, caller.user_id, wallet.wallet_id);
      return { status: 'SUCCESS' as const, link_token: linkToken, expiration: expiresAt };
    },
  }),

  endpoint('POST /banklink/link-token/exchange', {
    name: 'bankLink.exchangeToken',
    auth: 'user',
    errors: ['MISSING_FIELDS'],
    summary: 'Announces the public token; the next call exchanges it',
    body: Type.Object({ public_token: PublicToken, metadata: Type.Optional(Json) }),
    reply: { 200: Type.Object({ status: Type.Literal('SUCCESS'), message: Type.String() }) },
    invalid: 'public_token required',
    handler: async () => ({ status: 'SUCCESS' as const, message: 'Public token received' }),
  }),

  endpoint('POST /banklink/item/public-token/exchange', {
    name: 'bankLink.linkAccount',
    auth: 'user',
    errors: ['MISSING_FIELDS', 'WALLET_NOT_FOUND', 'PROVIDER_REJECTED', 'PROVIDER_UNAVAILABLE'],
    summary: 'Links the bank account behind a public token to a wallet',
    body: Type.Object({
      public_token: PublicToken,
      metadata: Type.Optional(Json),
      wallet_id: Type.Optional(IdInput),
    }),
    reply: {
      200: Type.Object({
        status: oneOfWords(['SUCCESS', 'ALREADY_CONNECTED']),
        access_token: secret(Type.String()),
        item_id: Type.String(),
      }),
    },
    invalid: 'Missing public_token',
    fault: 'Failed to exchange public token',
    async handler({ caller, body, request, db }) {
      const wallet_id = body.wallet_id ?? (await linkedWalletOf(db, caller.user_id));
      if (wallet_id === undefined)
        throw fail('MISSING_FIELDS', 'wallet_id required: no link token was made before');
      const wallet = await ownWallet(db, caller, wallet_id);
      if (!wallet) throw noWallet();
      const facts = factsOf(body.metadata);
      const linkRequest = { publicToken: body.public_token, facts, caller, request };
      const { connection, isNew } = await connectBankLink(deps, wallet, linkRequest);
      return {
        status: isNew ? ('SUCCESS' as const) : ('ALREADY_CONNECTED' as const),
        access_token: openToken(deps, connection),
        item_id: connection.item_id,
      };
    },
  }),
];

const connectionRoutes = (deps: BankLinkRouteDeps): Route[] => [
  endpoint('GET /banklink/{wallet_id}/check', {
    name: 'bankLink.check',
    auth: 'user',
    errors: ['WALLET_NOT_FOUND'],
    summary: 'Whether a wallet has a bank account linked to it',
    params: ByWallet,
    reply: { 200: Type.Object({ connected: Type.Boolean() }) },
    invalid: BAD_WALLET,
    fault: 'Failed to check the bank connection',
    async handler({ caller, params, db }) {
      const wallet = await findFiatWallet(db, tenantScopeOf(caller), params.wallet_id);
      if (!wallet) throw noWallet();
      return { connected: (await findConnection(db, wallet.wallet_id)) !== undefined };
    },
  }),

  endpoint('DELETE /banklink/{wallet_id}/bank', {
    name: 'bankLink.unlink',
    auth: 'user',
    errors: ['NOT_FOUND', 'WALLET_NOT_FOUND', 'PROVIDER_REJECTED', 'PROVIDER_UNAVAILABLE'],
    summary: "Ends a wallet's link with its bank account, here and at the provider",
    params: ByWallet,
    reply: { 200: MessageField },
    invalid: BAD_WALLET,
    fault: 'Failed to remove the bank connection',
    async handler({ caller, params, request, db }) {
      const wallet = await findFiatWallet(db, tenantScopeOf(caller), params.wallet_id);
      if (!wallet) throw noWallet();
      const isRemoved = await disconnectBankLink(deps, { wallet, caller, request });
      return { message: isRemoved ? 'Bank connection removed' : 'Bank connection is already gone' };
    },
  }),

  endpoint('GET /banklink/{user_id}/accounts', {
    name: 'bankLink.listAccounts',
    auth: 'user',
    errors: ['NOT_FOUND', 'USER_NOT_FOUND', 'PROVIDER_REJECTED', 'PROVIDER_UNAVAILABLE'],
    summary: 'The bank accounts behind all of a user’s connections',
    params: Type.Object({ user_id: IdInput }),
    reply: { 200: Type.Object({ accounts: Type.Array(Account) }) },
    invalid: 'user_id required',
    fault: 'Failed to get bank accounts',
    async handler({ caller, params, db }) {
      const connections = await connectionsOf(db, tenantScopeOf(caller), params.user_id);
      if (connections.length === 0) throw fail('NOT_FOUND', 'No bank connection found');
      // One for each of a user's wallets, of which there are six at the most.
      const found = await Promise.all(
        connections.map((connection) => deps.bankLink.accounts(openToken(deps, connection))),
      );
      const there = found.filter((accounts) => !isGone(accounts));
      return { accounts: (there.length > 0 ? there : found).flatMap(bankLinkAnswerOf) };
    },
  }),
];

const tokenRoutes = (deps: BankLinkRouteDeps): Route[] => [
  endpoint('POST /banklink/remove-item', {
    name: 'bankLink.removeItem',
    auth: 'user',
    errors: ['NOT_FOUND', 'PROVIDER_REJECTED', 'PROVIDER_UNAVAILABLE'],
    summary: 'Ends a bank log-in at the provider; the connection stays stored',
    body: Type.Object({ access_token: AccessToken }),
    reply: {
      200: Type.Object({
        message: Type.String(),
        data: Type.Object({ removed: Type.Literal(true) }),
      }),
    },
    invalid: 'access_token required',
    fault: 'Failed to remove item',
    async handler({ caller, body, db }) {
      const { access_token } = body;
      const print = printOf(deps.vault, access_token);
      // Another user's token is as unknown as one that never was.
      if (!(await connectionByToken(db, caller.user_id, print)))
        throw fail('PROVIDER_REJECTED', 'Invalid access_token');
      bankLinkAnswerOf(await deps.bankLink.removeItem(access_token));
      return { message: 'Item removed successfully', data: { removed: true as const } };
    },
  }),

  endpoint('GET /banklink/{wallet_id}/access-token', {
    name: 'bankLink.getAccessToken',
    team: 'payments:write',
    auth: 'user',
    errors: ['NOT_FOUND', 'WALLET_NOT_FOUND'],
    summary: "The access token of the caller's own wallet's connection",
    params: ByWallet,
    reply: { 200: Type.Object({ access_token: secret(Type.String()) }) },
    invalid: BAD_WALLET,
    fault: 'Failed to get access token',
    async handler({ caller, params, db }) {
      const wallet = await ownWallet(db, caller, params.wallet_id);
      const connection = wallet && (await findConnection(db, wallet.wallet_id));
      if (!connection) throw noConnection();
      return { access_token: openToken(deps, connection) };
    },
  }),
];

/** Only the owner opens a bank account or takes money from it: no admin acts for them. */
const ownWallet = (
  db: Db,
  { user_id }: UserCaller,
  wallet_id: number,
): Promise<FiatWallet | undefined> => findFiatWallet(db, { user_id }, wallet_id);

function openToken({ vault }: BankLinkRouteDeps, connection: BankLinkConnection): string {
  const token = tokenOf(vault, connection);
  // Removed between two statements.
  if (token === undefined) throw unavailable();
  return token;
}

/** In the provider's format, as a number of the caller's country where no other is written. */
async function phoneOf(
  db: Db,
  { client_id }: UserCaller,
  given: string | undefined,
): Promise<{ phone?: string }> {
  if (given === undefined) return {};
  return { phone: requirePhone(given, await clientHomeOf(db, client_id), 'phone_number') };
}

const Named = Type.Optional(Nullable(text(200)));
/** Link's own object, or the part of it that the caller passed on. */
const Metadata = Type.Object({
  institution: Type.Optional(Nullable(Type.Object({ institution_id: Named, name: Named }))),
  accounts: Type.Optional(Type.Array(Type.Object({ id: Named }), { maxItems: 100 })),
  account_id: Named,
});

/** Its facts about the bank and the chosen account; nothing of another form. */
function factsOf(metadata: unknown): LinkFacts {
  const { institution, accounts, account_id } = Value.Check(Metadata, metadata) ? metadata : {};
  return {
    account_id: account_id ?? accounts?.[0]?.id ?? null,
    institution_id: institution?.institution_id ?? null,
    institution_name: institution?.name ?? null,
  };
}
