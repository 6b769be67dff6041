import { checkDestination, type Destinations } from '#chains/destinations.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Config } from '#kernel/config/config.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { destinationsOf } from './destinations.ts';
import { emitExchangeWallet } from './events.ts';
import {
  addressOn,
  exchangeWalletNetworkOf,
  NETWORK_CODES,
  NETWORKS,
  type Network,
} from './networks.ts';
import {
  clearPrimary,
  deleteExchangeWallet,
  type ExchangeWallet,
  insertExchangeWallet,
  lockExchangeOwner,
  updateWallet,
} from './store.ts';

export interface WalletInput {
  readonly wallet_address: string;
  readonly network: string;
  readonly set_as_primary: boolean;
}

/** Throws INVALID_WALLET_FORMAT for an unsupported network, and for a text that is no address of it. */
function readWalletInput(
  { network: code, wallet_address }: WalletInput,
  config: Pick<Config, 'MOCK_MODE'>,
): { readonly network: Network; readonly address: string } {
  const network = exchangeWalletNetworkOf(code);
  const address = network && addressOn(network, wallet_address, config);
  if (network && address !== undefined) return { network, address };
  const message = network ? `Invalid ${network.name} wallet address` : 'Network is not supported';
  throw invalidWallet(message, network);
}

/** With an example of the network's addresses, or of all networks. */
export const invalidWallet = (message: string, network: Network = NETWORKS.ERC20): AppError =>
  fail('INVALID_WALLET_FORMAT', message, {
    details: { example: network.example, supported: [...NETWORK_CODES] },
  });

/** The rules for a wallet. */
export interface SaveDeps {
  readonly config: Pick<Config, 'MOCK_MODE'>;
  readonly evm: Destinations;
}

/** One per network: saving another address replaces it. Under the user's lock, so that one is primary. */
export async function saveWallet(
  tx: Db,
  caller: UserCaller,
  input: WalletInput,
  { request, config, evm }: SaveDeps & { readonly request: RequestFacts },
): Promise<{ readonly wallet: ExchangeWallet; readonly action: 'created' | 'updated' }> {
  const { network, address } = readWalletInput(input, config);
  await checkDestination(destinationsOf(network.code, evm), address, {
    field: 'wallet_address',
    refusal: (message) => invalidWallet(`wallet_address ${message}`, network),
  });
  const { user_id } = caller;
  if (!(await lockExchangeOwner(tx, user_id))) throw fail('USER_NOT_FOUND', 'User not found');
  if (input.set_as_primary) await clearPrimary(tx, user_id);
  const values = {
    user_id,
    network: network.code,
    wallet_address: address,
    is_primary: input.set_as_primary,
  };
  const updated = await updateWallet(tx, values);
  const wallet = updated ?? (await insertExchangeWallet(tx, values));
  const action = updated ? 'updated' : 'created';
  await note(tx, 'EXCHANGE_WALLET_SAVED', { caller, wallet, request });
  await emitExchangeWallet(tx, action, wallet);
  return { wallet, action };
}

/** No other wallet becomes primary by itself: its owner decides where money goes. */
export async function removeWallet(
  tx: Db,
  caller: UserCaller,
  bw_id: number,
  request: RequestFacts,
): Promise<void> {
  await lockExchangeOwner(tx, caller.user_id);
  const wallet = await deleteExchangeWallet(tx, caller.user_id, bw_id);
  if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  await note(tx, 'EXCHANGE_WALLET_DELETED', { caller, wallet, request });
  await emitExchangeWallet(tx, 'deleted', wallet);
}

interface Change {
  readonly caller: UserCaller;
  readonly wallet: ExchangeWallet;
  readonly request: RequestFacts;
}

const note = (tx: Db, action: string, { caller, wallet, request }: Change): Promise<void> =>
  logActivity(tx, {
    action,
    actor: caller,
    subject_user_id: wallet.user_id,
    details: {
      bw_id: wallet.bw_id,
      network: wallet.network,
      wallet_address: wallet.wallet_address,
      is_primary: wallet.is_primary,
    },
    request,
  });
