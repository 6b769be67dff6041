import { Type } from 'typebox';
import { CHAIN_KEYS, CHAINS, type ChainKey } from '#chains/evm/port.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { requireUser, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { missingFields } from '#kernel/http/declare/faults.ts';
import {
  endpoints,
  type Fault,
  type RequestFacts,
  type Route,
  type UserCaller,
} from '#kernel/http/declare/route.ts';
import { Id, IdInput, Json, nameInput, oneOfWords, stamped } from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { type BalanceDeps, balanceRoute } from './balance-routes.ts';
import { makeKey, sealKey } from './custody.ts';
import { emitAddress, emitWallet } from './events.ts';
import { readCryptoHoldings } from './holdings.ts';
import { openCryptoWallet } from './managed-addresses.ts';
import { Address, NewAddress, NewWallet, Wallet } from './shapes.ts';
import {
  addressesOf,
  assetsOf,
  type CryptoWallet,
  deleteWallet,
  findWallet,
  insertAddress,
  nextAddressId,
  walletsOf,
} from './store.ts';
import { shownAddress, shownWallet } from './views.ts';

const endpoint = endpoints(codedEnvelope);
const NAME_MAX = 100;
const Owned = Type.Object({ bw_id: IdInput });

const SECURITY_NOTE =
  'These words are shown this once and never again. Whoever has them owns what is at the address: ' +
  'write them down and keep them safe.';

export type WalletDeps = Pick<Kernel, 'vault' | 'clock'> & BalanceDeps;

/** Wallets that the service keeps the keys of (contract: Crypto wallets). */
export const cryptoWalletRoutes = (deps: WalletDeps): Route[] => [
  ...settingUpRoutes(deps),
  deletionRoute(),
  ...readingRoutes(deps),
  ...addressRoutes(),
  balanceRoute(deps),
];

const settingUpRoutes = ({ vault }: WalletDeps): Route[] => [
  endpoint('POST /manual/wallets/crypto', {
    name: 'cryptoWallets.create',
    creates: 'crypto_wallet',
    auth: 'user',
    errors: ['USER_NOT_FOUND', 'LIMIT_EXCEEDED'],
    summary: 'Creates a wallet for a chain; its address comes with the next step',
    body: Type.Object({
      user_id: IdInput,
      wallet_name: nameInput(NAME_MAX),
      chain_id: oneOfWords(CHAIN_KEYS),
    }),
    reply: { 200: stamped({ message: Type.String(), data: NewWallet }) },
    invalid: missingFields,
    atomic: true,
    async handler({ caller, body: { user_id, wallet_name, chain_id }, db, request }) {
      await requireUser(db, tenantScopeOf(caller), user_id);
      const wallet = await openCryptoWallet(db, { user_id, wallet_name, chain_id });
      await note(db, 'CREATE_CRYPTO_WALLET', wallet, { actor: caller, request });
      return {
        message: 'Wallet created; add an address to use it',
        data: {
          ...wallet,
          network: 'evm' as const,
          chain_id,
          addresses: [],
          address_count: 0,
          status: 'setup_needed' as const,
        },
      };
    },
  }),

  endpoint('POST /manual/wallets/crypto/{bw_id}/address', {
    name: 'cryptoWallets.addAddress',
    creates: 'wallet_address',
    auth: 'user',
    errors: ['WALLET_NOT_FOUND', 'CHAIN_EXISTS'],
    summary: 'Creates the wallet’s address on a chain and shows its mnemonic, only once',
    params: Owned,
    body: Type.Object({ chain_id: oneOfWords(CHAIN_KEYS) }),
    reply: {
      200: stamped({ message: Type.String(), data: NewAddress, security_note: Type.String() }),
    },
    invalid: missingFields,
    atomic: true,
    async handler({ caller, params: { bw_id }, body: { chain_id }, db, request }) {
      const { user_id } = caller;
      const wallet = await findWallet(db, { user_id }, bw_id);
      if (!wallet) throw walletNotFound();
      const key = await makeKey();
      const address_id = await nextAddressId(db);
      const sealed = sealKey(vault, address_id, key);
      const row = await insertAddress(db, { address_id, bw_id, chain_id }, key, sealed);
      if (!row) throw chainExists(chain_id);
      await emitAddress(db, wallet, { ...row, chain_id });
      await note(db, 'CREATE_WALLET_ADDRESS', wallet, { actor: caller, request });
      const { wallet_name } = wallet;
      const { mnemonic } = key;
      const native_symbol = CHAINS[chain_id].native;
      return {
        message: 'Address created',
        data: { ...row, bw_id, wallet_name, chain_id, mnemonic, native_symbol },
        security_note: SECURITY_NOTE,
      };
    },
  }),
];

const deletionRoute = (): Route =>
  endpoint('POST /manual/wallets/crypto/{bw_id}/delete', {
    name: 'cryptoWallets.delete',
    auth: 'user',
    errors: [
      'WALLET_NOT_FOUND',
      'USER_NOT_FOUND',
      'MISSING_FIELDS',
      'CONFIRMATION_REQUIRED',
      'CONFLICT',
    ],
    summary: 'Deletes a wallet with all its addresses and keys, for good',
    params: Owned,
    body: Type.Object({
      confirmation: Type.Literal('delete'),
      user_id: IdInput,
    }),
    reply: {
      200: stamped({
        message: Type.String(),
        data: Type.Object({
          deleted_wallet: Type.Object({
            bw_id: Id,
            wallet_name: Type.String(),
            wallet_label: Type.String(),
            user_id: Id,
          }),
        }),
      }),
    },
    invalid: unconfirmed,
    atomic: true,
    async handler({ caller, params: { bw_id }, body: { user_id }, db, request }) {
      const own = user_id === caller.user_id;
      const deleted_wallet = own ? await deleteWallet(db, user_id, bw_id) : undefined;
      if (!deleted_wallet) throw walletNotFound();
      await emitWallet(db, 'deleted', deleted_wallet);
      await note(db, 'DELETE_CRYPTO_WALLET', deleted_wallet, { actor: caller, request });
      return { message: 'Wallet and all its addresses deleted', data: { deleted_wallet } };
    },
  });

const readingRoutes = (deps: WalletDeps): Route[] => [
  endpoint('GET /manual/wallets/crypto/{user_id}', {
    name: 'cryptoWallets.list',
    auth: 'user',
    errors: ['USER_NOT_FOUND'],
    summary: 'A user’s wallets with their addresses and values',
    params: Type.Object({ user_id: IdInput }),
    reply: {
      200: stamped({
        message: Type.String(),
        data: Type.Object({
          wallets: Type.Array(Wallet),
          summary: Type.Object({
            total_wallets: Type.Integer(),
            active_wallets: Type.Integer(),
            total_addresses: Type.Integer(),
            total_chains: Type.Integer(),
          }),
        }),
      }),
    },
    async handler({ caller, params: { user_id }, db }) {
      await requireUser(db, tenantScopeOf(caller), user_id);
      const wallets = await walletsOf(db, user_id);
      const ids = wallets.map(({ bw_id }) => bw_id);
      const [addresses, assets] = await Promise.all([addressesOf(db, ids), assetsOf(db, ids)]);
      const holdings = await readCryptoHoldings(deps, addresses, assets);
      const shown = wallets.map((wallet) => shownWallet(wallet, addresses, assets, holdings));
      return {
        message: 'Wallets retrieved',
        data: {
          wallets: shown,
          summary: {
            total_wallets: shown.length,
            active_wallets: shown.filter(({ has_addresses }) => has_addresses).length,
            total_addresses: addresses.length,
            total_chains: new Set(addresses.map(({ chain_id }) => chain_id)).size,
          },
        },
      };
    },
  }),
];

const addressRoutes = (): Route[] => [
  endpoint('GET /manual/wallets/crypto/{bw_id}/addresses', {
    name: 'cryptoWallets.listAddresses',
    auth: 'user',
    errors: ['WALLET_NOT_FOUND'],
    summary: 'The addresses of a wallet, also grouped by chain',
    params: Owned,
    reply: {
      200: stamped({
        message: Type.String(),
        data: Type.Object({
          wallet_id: Id,
          addresses: Type.Array(Address),
          chain_groups: Json,
          total_addresses: Type.Integer(),
          supported_chains: Type.Array(Type.String()),
          total_assets: Type.Integer(),
        }),
      }),
    },
    async handler({ caller, params: { bw_id }, db }) {
      if (!(await findWallet(db, tenantScopeOf(caller), bw_id))) throw walletNotFound();
      const [rows, assets] = await Promise.all([addressesOf(db, [bw_id]), assetsOf(db, [bw_id])]);
      const addresses = rows.map((row) => shownAddress(row, assets));
      const groups = Map.groupBy(addresses, ({ chain_id }) => chain_id);
      const chain_groups = Object.fromEntries(
        [...groups].map(([chain, group]) => [
          chain,
          group.map(({ address_id, wallet_address, asset_count }) => ({
            address_id,
            wallet_address,
            asset_count,
          })),
        ]),
      );
      return {
        message: 'Addresses retrieved',
        data: {
          wallet_id: bw_id,
          addresses,
          chain_groups,
          total_addresses: addresses.length,
          supported_chains: [...groups.keys()],
          total_assets: assets.length,
        },
      };
    },
  }),
];

const walletNotFound = () => fail('WALLET_NOT_FOUND', 'Wallet not found');

const chainExists = (chain: ChainKey) =>
  fail('CHAIN_EXISTS', `The wallet has an address on ${chain} already`);

/** The confirmation word is checked first: without it the answer names nothing else. */
function unconfirmed(faults: readonly Fault[]): AppError {
  const unsaid = faults.find(({ field }) => field === 'confirmation');
  if (!unsaid) return missingFields(faults);
  return fail('CONFIRMATION_REQUIRED', 'To delete the wallet, send confirmation: "delete"', {
    extra: { received_confirmation: unsaid.received ?? null },
  });
}

const note = (
  db: Db,
  action: string,
  { bw_id, user_id }: Pick<CryptoWallet, 'bw_id' | 'user_id'>,
  by: { readonly actor: UserCaller; readonly request: RequestFacts },
) => logActivity(db, { action, subject_user_id: user_id, details: { bw_id }, ...by });
