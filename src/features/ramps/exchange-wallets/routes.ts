import { Type } from 'typebox';
import type { Destinations } from '#chains/destinations.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { errorCodeEnvelope, errorEnvelope, withFaultsOf } from '#kernel/http/declare/envelope.ts';
import { badFields } from '#kernel/http/declare/faults.ts';
import { named } from '#kernel/http/declare/named.ts';
import { at, endpoints, type Fault, type Route } from '#kernel/http/declare/route.ts';
import { Id, IdInput, Nullable, stamped, Timestamp, text } from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { NETWORK_CODES, NETWORKS } from './networks.ts';
import { invalidWallet, removeWallet, saveWallet } from './save-wallet.ts';
import { type ExchangeWallet, exchangeWalletsOf, primaryWalletOf } from './store.ts';

export type ExchangeWalletDeps = Pick<Kernel, 'config'> & { readonly evm: Destinations };

const endpoint = endpoints(errorCodeEnvelope);
const saving = endpoints(withFaultsOf(errorEnvelope, errorCodeEnvelope));

const address = {
  bw_id: Id,
  wallet_address: Type.String(),
  network: Type.String(),
  chain_id: Type.String(),
};
const Primary = Type.Object(address);
const Wallet = named('ExchangeWallet', {
  ...address,
  is_primary: Type.Boolean(),
  status: Type.String(),
  created_at: Timestamp,
});
const Saved = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  data: named('SavedExchangeWallet', {
    ...address,
    is_primary: Type.Boolean(),
    action: Type.String(),
  }),
});

const shown = ({ network, ...wallet }: ExchangeWallet) => ({
  ...wallet,
  network: NETWORKS[network].name,
  chain_id: network.toLowerCase(),
});

/** The contract has one refusal for a text that is no address of a network, and for none. */
function invalidInput(faults: readonly Fault[]): AppError {
  const wrong = faults.filter(({ field }) => field === 'wallet_address' || field === 'network');
  return wrong.length === 0 ? badFields(faults) : invalidWallet(badFields(wrong).message);
}

/** Users' wallets for USDC (contract: Exchange conversion). */
export const exchangeWalletRoutes = (deps: ExchangeWalletDeps): Route[] => [
  ...changes(deps),
  ...reads(),
];

const changes = ({ config, evm }: ExchangeWalletDeps): Route[] => [
  saving('POST /exchange/crypto-wallet/save', {
    name: 'exchangeWallets.save',
    creates: { kind: 'exchange_wallet', object: 'exchange_wallet', on: 'created' },
    movesMoney: true,
    auth: 'user',
    errors: ['WALLET_NOT_FOUND', 'INVALID_WALLET_FORMAT', 'USER_NOT_FOUND'],
    summary: 'Registers the address that USDC goes to on a network, or replaces it',
    body: Type.Object({
      wallet_address: text(100),
      network: text(20),
      set_as_primary: Type.Optional(Type.Boolean()),
    }),
    reply: { 200: Saved, 201: Saved },
    invalid: invalidInput,
    atomic: true,
    fault: 'Failed to save the wallet',
    async handler({ caller, body, db, request }) {
      const input = { ...body, set_as_primary: body.set_as_primary ?? true };
      const { wallet, action } = await saveWallet(db, caller, input, { request, config, evm });
      const data = { ...shown(wallet), action };
      const message = `Wallet ${action}`;
      return action === 'created' ? at(201, { message, data }) : { message, data };
    },
  }),

  endpoint('POST /exchange/crypto-wallet/delete', {
    name: 'exchangeWallets.delete',
    auth: 'user',
    errors: ['WALLET_NOT_FOUND', 'INVALID_WALLET_ID'],
    summary: 'Removes a withdrawal wallet; no other one takes its place by itself',
    body: Type.Object({ bw_id: IdInput }),
    reply: { 200: stamped({ message: Type.String() }) },
    atomic: true,
    invalid: () => fail('INVALID_WALLET_ID', 'bw_id must be a positive integer'),
    async handler({ caller, body, db, request }) {
      await removeWallet(db, caller, body.bw_id, request);
      return { message: 'Wallet deleted' };
    },
  }),
];

const reads = (): Route[] => [
  endpoint('GET /exchange/crypto-wallet/list', {
    name: 'exchangeWallets.list',
    auth: 'user',
    summary: 'The registered withdrawal wallets, the primary one first',
    reply: {
      200: stamped({
        message: Type.String(),
        data: Type.Object({
          total: Type.Integer(),
          wallets: Type.Array(Wallet),
          primary_wallet: Nullable(Wallet),
        }),
      }),
    },
    async handler({ caller, db }) {
      const wallets = (await exchangeWalletsOf(db, caller.user_id)).map(shown);
      const primary_wallet = wallets.find(({ is_primary }) => is_primary) ?? null;
      return {
        message: 'Wallets retrieved',
        data: { total: wallets.length, wallets, primary_wallet },
      };
    },
  }),

  endpoint('GET /exchange/crypto-wallet/primary', {
    name: 'exchangeWallets.getPrimary',
    auth: 'user',
    errors: ['NO_PRIMARY_WALLET'],
    summary: 'The wallet that converted money goes to',
    reply: { 200: stamped({ message: Type.String(), data: Primary }) },
    async handler({ caller, db }) {
      const wallet = await primaryWalletOf(db, caller.user_id);
      if (!wallet) throw fail('NO_PRIMARY_WALLET', 'No primary wallet is set');
      return { message: 'Primary wallet retrieved', data: shown(wallet) };
    },
  }),

  endpoint('GET /exchange/crypto-wallet/networks', {
    name: 'exchangeWallets.listNetworks',
    auth: 'user',
    summary: 'The networks on which USDC is paid out, each with an example of an address',
    reply: {
      200: stamped({
        message: Type.String(),
        data: Type.Object({
          total: Type.Integer(),
          networks: Type.Array(
            Type.Object({
              code: Type.String(),
              name: Type.String(),
              example: Type.String(),
              exchange_code: Type.String(),
            }),
          ),
        }),
      }),
    },
    async handler() {
      const networks = NETWORK_CODES.map((code) => {
        const { read: _, ...network } = NETWORKS[code];
        return network;
      });
      return { message: 'Networks retrieved', data: { total: networks.length, networks } };
    },
  }),
];
