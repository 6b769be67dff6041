import {
  CHAIN_KEYS,
  CHAINS,
  type ChainKey,
  sendableAssets,
  typedEvmAddress,
} from '#chains/evm/port.ts';
import { transferAmount } from '#features/chain-wallets/crosschain/crosschain.ts';
import { AppError } from '#kernel/error.ts';
import type { PerformRequest } from '#kernel/http/answer/perform.ts';
import type { RouteId } from '#kernel/http/declare/route.ts';
import { plainDecimal } from '#kernel/money/amount-text.ts';
import { isAsset, money } from '#kernel/money/money.ts';
import type { AgentDeps } from './deps.ts';
import type { AgentIntent, Given, Parameter } from './intent.ts';
import { labelOn, type NamedWallet, placesNamed, placesOn } from './places.ts';
import { REACHABLE } from './reachable-routes.ts';

/** What is to be asked of the user before anything can be done. */
export interface Lacking {
  readonly kind: 'lacking';
  readonly parameter: Parameter;
  readonly options: readonly string[];
  /** Why what was given will not do. */
  readonly why?: string;
  /** What it is called to the caller, where that is no parameter of a wish. */
  readonly missing?: 'wallet';
}
/** The user has to make a wallet, or an address on that chain, first. */
export interface Homeless {
  readonly kind: 'homeless';
  readonly chain?: ChainKey;
}
/** Done by that endpoint at once, since it moves nothing. */
export interface Doing {
  readonly kind: 'doing';
  readonly endpoint: RouteId;
  readonly wishes: readonly Omit<PerformRequest, 'operation'>[];
}
/** Moves money: to be confirmed, with exactly this body. */
export interface PlannedMove {
  readonly kind: 'moving';
  readonly intent: 'send' | 'crosschain_transfer';
  readonly body: Readonly<Record<string, string | number>>;
  readonly wallet_name?: string;
}
export type Plan = Lacking | Homeless | Doing | PlannedMove;

interface Planning {
  readonly evm: AgentDeps['evm'];
  readonly config: AgentDeps['config'];
  readonly user_id: number;
  readonly places: readonly NamedWallet[];
  readonly given: Given;
  /** What the user has written and cannot be read in one way: nothing stands in for it. */
  readonly doubts: readonly Parameter[];
  /** What a doubtful amount may be. */
  readonly amounts: readonly string[];
}

export type Actionable = Exclude<AgentIntent, 'help' | 'cancel' | 'unknown'>;

/** What a wish comes to with what is known of it. */
export const planFor = (intent: Actionable, planning: Planning): Plan => PLANS[intent](planning);

const PLANS: Readonly<Record<Actionable, (planning: Planning) => Plan>> = {
  create_wallet({ user_id, given: { wallet_name, chain_id } }) {
    if (wallet_name === undefined) return lacking('wallet_name');
    if (chain_id === undefined) return lacking('chain_id', CHAIN_KEYS);
    return doing(REACHABLE.createWallet, { body: { user_id, wallet_name, chain_id } });
  },

  add_address({ places, given: { wallet_name, chain_id } }) {
    if (places.length === 0) return { kind: 'homeless' };
    const named = placesNamed(places, wallet_name);
    if (named.length === 0) return lacking('wallet_name', namesOf(places), NO_WALLET);
    if (wallet_name === undefined && named.length > 1)
      return lacking('wallet_name', namesOf(places));
    const place = named.find(({ addresses }) => !(String(chain_id) in addresses)) ?? named[0];
    if (place === undefined) throw new Error('A list that is not empty has no first');
    const free = CHAIN_KEYS.filter((key) => place.addresses[key] === undefined);
    if (chain_id === undefined) return lacking('chain_id', free);
    return doing(REACHABLE.addAddress, {
      params: { bw_id: place.bw_id },
      body: { chain_id },
    });
  },

  balance({ places, given: { wallet_name } }) {
    if (places.length === 0) return { kind: 'homeless' };
    const named = placesNamed(places, wallet_name).slice(0, SHOWN_MAX);
    if (named.length === 0) return lacking('wallet_name', namesOf(places), NO_WALLET);
    const wishes = named.map(({ bw_id }) => ({ params: { wallet_id: bw_id } }));
    return doing(REACHABLE.balance, ...wishes);
  },

  history: ({ user_id }) => doing(REACHABLE.history, { params: { user_id }, query: { limit: 10 } }),

  import_token({ config, places, user_id, given: { token_address: asset_issuer, chain_id } }) {
    if (places.length === 0) return { kind: 'homeless' };
    if (asset_issuer === undefined) return lacking('token_address');
    if (typedEvmAddress(asset_issuer, config) === undefined)
      return lacking('token_address', [], BAD_ADDRESS);
    if (chain_id === undefined) return lacking('chain_id', chainsOf(places));
    return doing(REACHABLE.importToken, { body: { chain_id, asset_issuer, user_id } });
  },

  send: (planning) => planSend(planning),
  crosschain_transfer: (planning) => planTransfer(planning),
};

/** What is answered at once has an end. */
const SHOWN_MAX = 5;
const WALLETS_OFFERED = 20;
const NO_WALLET = 'There is no such wallet';
const BAD_ADDRESS = 'It is not an address: 0x and 40 hexadecimal digits with a valid checksum';

const lacking = (parameter: Parameter, options: readonly string[] = [], why?: string): Lacking => ({
  kind: 'lacking',
  parameter,
  options,
  ...(why && { why }),
});

const doing = (endpoint: RouteId, ...wishes: Doing['wishes']): Doing => ({
  kind: 'doing',
  endpoint,
  wishes,
});

const namesOf = (places: readonly NamedWallet[]): string[] =>
  places.slice(0, WALLETS_OFFERED).map(({ wallet_name }) => wallet_name);

const chainsOf = (places: readonly NamedWallet[]): readonly ChainKey[] =>
  CHAIN_KEYS.filter((key) => placesOn(places, key).length > 0);

function planSend({ config, evm, places, given, doubts, amounts }: Planning): Plan {
  const { token_symbol, to_address, wallet_name } = given;
  if (chainsOf(places).length === 0) return homelessIn(places, given.chain_id);
  if (given.amount === undefined) return lacking('amount', amounts);
  const amount = plainDecimal(given.amount);
  if (token_symbol === undefined) return lacking('token_symbol', tokensOn(given.chain_id));
  const bad = complaintOf(() => isAsset(token_symbol) && positive(money(token_symbol, amount)));
  if (bad) return lacking('amount', [], bad);
  const chain_id = doubts.includes('chain_id') ? undefined : chainOfSend(given, places);
  if (chain_id === undefined) return lacking('chain_id', chainsOf(places));
  const { native } = CHAINS[chain_id];
  if (token_symbol !== 'USDC' && token_symbol !== native)
    return lacking('token_symbol', tokensOn(chain_id), `${token_symbol} is not on ${chain_id}`);
  const named = placesNamed(places, wallet_name);
  if (named.length === 0) return lacking('wallet_name', namesOf(places), NO_WALLET);
  const [from, ...others] = placesOn(named, chain_id);
  const wallet_address = from?.addresses[chain_id];
  if (from === undefined || wallet_address === undefined)
    return { kind: 'homeless', chain: chain_id };
  if (others.length > 0) {
    const options = [from, ...others]
      .slice(0, WALLETS_OFFERED)
      .map((place) => labelOn(place, chain_id));
    return { ...lacking('wallet_name', options), missing: 'wallet' };
  }
  if (to_address === undefined) return lacking('to_address');
  if (typedEvmAddress(to_address, config) === undefined)
    return lacking('to_address', [], BAD_ADDRESS);
  const token_contract = token_symbol === 'USDC' ? evm.chains[chain_id].contracts.usdc : 'native';
  return {
    kind: 'moving',
    intent: 'send',
    body: { wallet_address, chain_id, token_symbol, token_contract, to_address, amount },
    wallet_name: from.wallet_name,
  };
}

/** Without any wallet that comes first, whatever the chain. */
function homelessIn(places: readonly NamedWallet[], chain_id: string | undefined): Homeless {
  const chain = (chain_id ?? CHAIN_KEYS[0]) as ChainKey | undefined;
  return { kind: 'homeless', ...(places.length > 0 && chain && { chain }) };
}

const tokensOn = (chain: string | undefined): readonly string[] =>
  chain === undefined ? sendableAssets() : ['USDC', CHAINS[chain as ChainKey].native];

/** Where it was said; else where the coin is, or the one chain that the user is on. */
function chainOfSend({ chain_id, token_symbol }: Given, places: readonly NamedWallet[]) {
  if (chain_id !== undefined) return chain_id as ChainKey;
  const own = CHAIN_KEYS.filter((key) => CHAINS[key].native === token_symbol);
  const possible = token_symbol === 'USDC' ? chainsOf(places) : own;
  return possible.length === 1 ? possible[0] : undefined;
}

function planTransfer({ config, user_id, places, given, doubts, amounts }: Planning): Plan {
  const { from_chain, to_chain } = given;
  if (given.amount === undefined) return lacking('amount', amounts);
  const amount = plainDecimal(given.amount);
  if (doubts.includes('token_symbol') || (given.token_symbol ?? 'USDC') !== 'USDC')
    return lacking('token_symbol', ['USDC'], 'Only USDC moves between chains');
  const bad = complaintOf(() => transferAmount(amount));
  if (bad) return lacking('amount', [], bad);
  if (from_chain === undefined) return lacking('from_chain', CHAIN_KEYS);
  const others = CHAIN_KEYS.filter((key) => key !== from_chain);
  if (to_chain === undefined) return lacking('to_chain', others);
  if (to_chain === from_chain) return lacking('to_chain', others, 'It is the same chain');
  const own = placesOn(places, to_chain).flatMap(
    ({ addresses }) => addresses[to_chain as ChainKey] ?? [],
  );
  const isOwn = own.length === 1 && !doubts.includes('recipient_address');
  const recipient_address =
    given.recipient_address ?? given.to_address ?? (isOwn ? own[0] : undefined);
  if (recipient_address === undefined)
    return lacking('recipient_address', own.slice(0, WALLETS_OFFERED));
  if (typedEvmAddress(recipient_address, config) === undefined)
    return lacking('recipient_address', [], BAD_ADDRESS);
  return {
    kind: 'moving',
    intent: 'crosschain_transfer',
    body: { user_id, amount, from_chain, to_chain, token: 'USDC', recipient_address },
  };
}

function positive({ units }: { readonly units: bigint }): void {
  if (units === 0n) throw new AppError('VALIDATION_ERROR', 'The amount must be more than nothing');
}

/** What is wrong with it in the words of the endpoint's own check. */
function complaintOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
