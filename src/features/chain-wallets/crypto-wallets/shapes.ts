import { Type } from 'typebox';
import { named } from '#kernel/http/declare/named.ts';
import { Id, Nullable, Timestamp } from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import { SHOWN_WHERE_KNOWN } from '#kernel/money/shown-balance.ts';

/** What the wallet endpoints answer (contract: Crypto wallets, Wallet, Wallet address). */
export const Address = named('CryptoAddress', {
  address_id: Id,
  bw_id: Id,
  wallet_address: Type.String(),
  chain_id: Type.String(),
  created_at: Timestamp,
  asset_count: Type.Integer(),
  native_symbol: Type.String(),
  has_assets: Type.Boolean(),
});

export const Wallet = named('CryptoWallet', {
  bw_id: Id,
  user_id: Id,
  wallet_name: Type.String(),
  wallet_label: Type.String(),
  network: Type.Literal('evm'),
  is_primary: Type.Boolean(),
  created_at: Timestamp,
  addresses: Type.Array(Address),
  address_count: Type.Integer(),
  active_chains: Type.Integer(),
  supported_chains: Type.Array(Type.String()),
  total_tokens: Type.Integer(),
  total_assets: Type.Integer(),
  total_value_usd: Nullable(Type.Number()),
  status: Type.Union([Type.Literal('setup_needed'), Type.Literal('active')]),
  has_addresses: Type.Boolean(),
});

export const NewWallet = named('NewCryptoWallet', {
  bw_id: Id,
  user_id: Id,
  wallet_name: Type.String(),
  wallet_label: Type.String(),
  network: Type.Literal('evm'),
  chain_id: Type.String(),
  is_primary: Type.Boolean(),
  created_at: Timestamp,
  addresses: Type.Array(Address),
  address_count: Type.Integer(),
  status: Type.Literal('setup_needed'),
});

export const NewAddress = named('NewCryptoAddress', {
  address_id: Id,
  bw_id: Id,
  wallet_name: Type.String(),
  wallet_address: Type.String(),
  chain_id: Type.String(),
  created_at: Timestamp,
  mnemonic: secret(Type.String()),
  native_symbol: Type.String(),
});

const Token = named('TokenBalance', {
  symbol: Type.String(),
  balance: Nullable(Type.String()),
  ...SHOWN_WHERE_KNOWN,
  contract_address: Type.String(),
  value_usd: Nullable(Type.Number()),
});

export const ChainBalance = named('ChainBalance', {
  chain_id: Type.String(),
  wallet_address: Type.String(),
  native_balance: Nullable(Type.String()),
  ...SHOWN_WHERE_KNOWN,
  native_symbol: Type.String(),
  tokens: Type.Array(Token),
  total_usd: Nullable(Type.Number()),
  /** Only for a chain that could not be asked. */
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
});
