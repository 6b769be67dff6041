import {
  CHAIN_KEYS,
  CHAINS,
  type ChainKey,
  sendableAssets,
  typedEvmAddress,
} from '#chains/evm/port.ts';
import { transferAmount } from '#features/chain-wallets/crosschain/crosschain.ts';
import type { Arguments, ToolName } from '#features/commerce/mcp-server/mcp-server.ts';
import { AppError } from '#kernel/error.ts';
import { plainDecimal } from '#kernel/money/amount-text.ts';
import { isAsset, money } from '#kernel/money/money.ts';
import type { AgentDeps } from './deps.ts';
import type { AgentIntent, Given, Parameter } from './intent.ts';
import { type NamedWallet, walletLabel, walletsNamed, walletsOn } from './named-wallets.ts';

/** A parameter that the user has to give before the agent can act. */
export interface MissingParameter {
  readonly kind: 'missing-parameter';
  readonly parameter: Parameter;
  readonly options: readonly string[];
  /** Why the given value will not do. */
  readonly why?: string;
  /** Its name in the answer, where the answer has another one. */
  readonly missing?: 'wallet';
}
/** The user has to make a wallet, or an address on that chain, first. */
export interface MissingWallet {
  readonly kind: 'missing-wallet';
  readonly chain?: ChainKey;
}
/** The agent calls that tool at once, since it moves no money. */
export interface PlannedCall {
  readonly kind: 'call';
  readonly tool: ToolName;
  readonly calls: readonly Arguments[];
}
/** Moves money: the user confirms exactly this body first. */
export interface PlannedMove {
  readonly kind: 'move';
  readonly intent: 'send' | 'crosschain_transfer';
  readonly body: Readonly<Record<string, string | number>>;
  readonly wallet_name?: string;
}
export type Plan = MissingParameter | MissingWallet | PlannedCall | PlannedMove;

interface PlanInput {
  readonly evm: AgentDeps['evm'];
  readonly config: AgentDeps['config'];
  readonly user_id: number;
  readonly wallets: readonly NamedWallet[];
  readonly given: Given;
  /** Parameters that the user wrote in a way with several readings: no default stands in for them. */
  readonly doubts: readonly Parameter[];
  /** The readings of a doubtful amount. */
  readonly amounts: readonly string[];
}

export type Actionable = Exclude<AgentIntent, 'help' | 'cancel' | 'unknown'>;

/** What the agent does next for an intent, with the parameters known so far. */
export const planFor = (intent: Actionable, input: PlanInput): Plan => PLANS[intent](input);

const PLANS: Readonly<Record<Actionable, (input: PlanInput) => Plan>> = {
  create_wallet({ given: { wallet_name, chain_id } }) {
    if (wallet_name === undefined) return missing('wallet_name');
    if (chain_id === undefined) return missing('chain_id', CHAIN_KEYS);
    return call('create_crypto_wallet', { wallet_name, chain_id });
  },

  add_address({ wallets, given: { wallet_name, chain_id } }) {
    if (wallets.length === 0) return { kind: 'missing-wallet' };
    const named = walletsNamed(wallets, wallet_name);
    if (named.length === 0) return missing('wallet_name', namesOf(wallets), NO_WALLET);
    if (wallet_name === undefined && named.length > 1)
      return missing('wallet_name', namesOf(wallets));
    const wallet = named.find(({ addresses }) => !(String(chain_id) in addresses)) ?? named[0];
    if (wallet === undefined) throw new Error('A list that is not empty has no first');
    const free = CHAIN_KEYS.filter((key) => wallet.addresses[key] === undefined);
    if (chain_id === undefined) return missing('chain_id', free);
    return call('add_wallet_address', { bw_id: wallet.bw_id, chain_id });
  },

  balance({ wallets, given: { wallet_name } }) {
    if (wallets.length === 0) return { kind: 'missing-wallet' };
    const named = walletsNamed(wallets, wallet_name).slice(0, SHOWN_MAX);
    if (named.length === 0) return missing('wallet_name', namesOf(wallets), NO_WALLET);
    return call('get_crypto_balance', ...named.map(({ bw_id }) => ({ wallet_id: bw_id })));
  },

  history: () => call('list_transactions', { limit: 10 }),

  import_token({ config, wallets, given: { token_address: asset_issuer, chain_id } }) {
    if (wallets.length === 0) return { kind: 'missing-wallet' };
    if (asset_issuer === undefined) return missing('token_address');
    if (typedEvmAddress(asset_issuer, config) === undefined)
      return missing('token_address', [], BAD_ADDRESS);
    if (chain_id === undefined) return missing('chain_id', chainsOf(wallets));
    return call('import_token', { chain_id, asset_issuer });
  },

  send: (input) => planSend(input),
  crosschain_transfer: (input) => planTransfer(input),
};

/** Balances in one answer, at most. */
const SHOWN_MAX = 5;
const WALLETS_OFFERED = 20;
const NO_WALLET = 'There is no such wallet';
const BAD_ADDRESS = 'It is not an address: 0x and 40 hexadecimal digits with a valid checksum';

const missing = (
  parameter: Parameter,
  options: readonly string[] = [],
  why?: string,
): MissingParameter => ({ kind: 'missing-parameter', parameter, options, ...(why && { why }) });

const call = (tool: ToolName, ...calls: readonly Arguments[]): PlannedCall => ({
  kind: 'call',
  tool,
  calls,
});

const namesOf = (wallets: readonly NamedWallet[]): string[] =>
  wallets.slice(0, WALLETS_OFFERED).map(({ wallet_name }) => wallet_name);

const chainsOf = (wallets: readonly NamedWallet[]): readonly ChainKey[] =>
  CHAIN_KEYS.filter((key) => walletsOn(wallets, key).length > 0);

function planSend({ config, evm, wallets, given, doubts, amounts }: PlanInput): Plan {
  const { token_symbol, to_address, wallet_name } = given;
  if (chainsOf(wallets).length === 0) return missingWalletOn(wallets, given.chain_id);
  if (given.amount === undefined) return missing('amount', amounts);
  const amount = plainDecimal(given.amount);
  if (token_symbol === undefined) return missing('token_symbol', tokensOn(given.chain_id));
  const bad = refusalOf(
    () => isAsset(token_symbol) && requirePositive(money(token_symbol, amount)),
  );
  if (bad) return missing('amount', [], bad);
  const chain_id = doubts.includes('chain_id') ? undefined : chainOfSend(given, wallets);
  if (chain_id === undefined) return missing('chain_id', chainsOf(wallets));
  const { native } = CHAINS[chain_id];
  if (token_symbol !== 'USDC' && token_symbol !== native)
    return missing('token_symbol', tokensOn(chain_id), `${token_symbol} is not on ${chain_id}`);
  const named = walletsNamed(wallets, wallet_name);
  if (named.length === 0) return missing('wallet_name', namesOf(wallets), NO_WALLET);
  const [from, ...others] = walletsOn(named, chain_id);
  const wallet_address = from?.addresses[chain_id];
  if (from === undefined || wallet_address === undefined)
    return { kind: 'missing-wallet', chain: chain_id };
  if (others.length > 0) {
    const offered = [from, ...others].slice(0, WALLETS_OFFERED);
    const labels = offered.map((wallet) => walletLabel(wallet, chain_id));
    return { ...missing('wallet_name', labels), missing: 'wallet' };
  }
  if (to_address === undefined) return missing('to_address');
  if (typedEvmAddress(to_address, config) === undefined)
    return missing('to_address', [], BAD_ADDRESS);
  const token_contract = token_symbol === 'USDC' ? evm.chains[chain_id].contracts.usdc : 'native';
  return {
    kind: 'move',
    intent: 'send',
    body: { wallet_address, chain_id, token_symbol, token_contract, to_address, amount },
    wallet_name: from.wallet_name,
  };
}

/** A user without any wallet makes one first, on whatever chain. */
function missingWalletOn(
  wallets: readonly NamedWallet[],
  chain_id: string | undefined,
): MissingWallet {
  const chain = (chain_id ?? CHAIN_KEYS[0]) as ChainKey | undefined;
  return { kind: 'missing-wallet', ...(wallets.length > 0 && chain && { chain }) };
}

const tokensOn = (chain: string | undefined): readonly string[] =>
  chain === undefined ? sendableAssets() : ['USDC', CHAINS[chain as ChainKey].native];

/** The chain that the user named; else the coin's own, or the only one with an address of the user. */
function chainOfSend({ chain_id, token_symbol }: Given, wallets: readonly NamedWallet[]) {
  if (chain_id !== undefined) return chain_id as ChainKey;
  const own = CHAIN_KEYS.filter((key) => CHAINS[key].native === token_symbol);
  const possible = token_symbol === 'USDC' ? chainsOf(wallets) : own;
  return possible.length === 1 ? possible[0] : undefined;
}

function planTransfer({ config, user_id, wallets, given, doubts, amounts }: PlanInput): Plan {
  const { from_chain, to_chain } = given;
  if (given.amount === undefined) return missing('amount', amounts);
  const amount = plainDecimal(given.amount);
  if (doubts.includes('token_symbol') || (given.token_symbol ?? 'USDC') !== 'USDC')
    return missing('token_symbol', ['USDC'], 'Only USDC moves between chains');
  const bad = refusalOf(() => transferAmount(amount));
  if (bad) return missing('amount', [], bad);
  if (from_chain === undefined) return missing('from_chain', CHAIN_KEYS);
  const others = CHAIN_KEYS.filter((key) => key !== from_chain);
  if (to_chain === undefined) return missing('to_chain', others);
  if (to_chain === from_chain) return missing('to_chain', others, 'It is the same chain');
  const own = walletsOn(wallets, to_chain).flatMap(
    ({ addresses }) => addresses[to_chain as ChainKey] ?? [],
  );
  const isOwn = own.length === 1 && !doubts.includes('recipient_address');
  const recipient_address =
    given.recipient_address ?? given.to_address ?? (isOwn ? own[0] : undefined);
  if (recipient_address === undefined)
    return missing('recipient_address', own.slice(0, WALLETS_OFFERED));
  if (typedEvmAddress(recipient_address, config) === undefined)
    return missing('recipient_address', [], BAD_ADDRESS);
  return {
    kind: 'move',
    intent: 'crosschain_transfer',
    body: { user_id, amount, from_chain, to_chain, token: 'USDC', recipient_address },
  };
}

function requirePositive({ units }: { readonly units: bigint }): void {
  if (units === 0n) throw new AppError('VALIDATION_ERROR', 'The amount must be more than nothing');
}

/** Why the endpoint's own check refuses a value, in its words. */
function refusalOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
