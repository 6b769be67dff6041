import { createHash } from 'node:crypto';
import { base58, createBase58check } from '@scure/base';
import { getAddress, isAddress } from 'viem';
import type { Config } from '#kernel/config/config.ts';

/** A network on which USDC is paid out (contract: Supported exchange networks). */
export interface Network {
  readonly code: NetworkCode;
  readonly name: string;
  readonly exchange_code: string;
  readonly example: string;
  /** The address as its network writes it; undefined for another text. */
  readonly read: (text: string) => string | undefined;
  /** The form of an address. */
  readonly form: RegExp;
}

export const NETWORK_CODES = ['ERC20', 'TRC20', 'BEP20', 'POLYGON', 'SOLANA'] as const;
export type NetworkCode = (typeof NETWORK_CODES)[number];

const EVM_FORM = /^0x[0-9a-fA-F]{40}$/;
const EVM_EXAMPLE = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e';

export const NETWORKS: Readonly<Record<NetworkCode, Network>> = {
  ERC20: {
    code: 'ERC20',
    name: 'Ethereum (ERC-20)',
    exchange_code: 'erc20',
    example: EVM_EXAMPLE,
    read: readEvm,
    form: EVM_FORM,
  },
  TRC20: {
    code: 'TRC20',
    name: 'Tron (TRC-20)',
    exchange_code: 'trc20',
    example: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    read: readTron,
    form: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
  },
  BEP20: {
    code: 'BEP20',
    name: 'BSC (BEP-20)',
    exchange_code: 'bep20',
    example: EVM_EXAMPLE,
    read: readEvm,
    form: EVM_FORM,
  },
  POLYGON: {
    code: 'POLYGON',
    name: 'Polygon',
    exchange_code: 'polygon',
    example: EVM_EXAMPLE,
    read: readEvm,
    form: EVM_FORM,
  },
  SOLANA: {
    code: 'SOLANA',
    name: 'Solana',
    exchange_code: 'solana',
    example: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
    read: readSolana,
    form: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  },
};

/** By its code, in any letter case. */
export function exchangeWalletNetworkOf(text: string): Network | undefined {
  const code = text.toUpperCase();
  return NETWORK_CODES.includes(code as NetworkCode) ? NETWORKS[code as NetworkCode] : undefined;
}

/**
 * The address as its network writes it. Mock mode sends nothing to it, so that every text of the contract's form is an
 * address, also a mistyped one, and is kept as typed.
 */
export const addressOn = (
  network: Network,
  text: string,
  { MOCK_MODE }: Pick<Config, 'MOCK_MODE'>,
): string | undefined =>
  network.read(text) ?? (MOCK_MODE && network.form.test(text) ? text : undefined);

/** Mixed case is a checksum, and a wrong one means a mistyped letter. */
function readEvm(text: string): string | undefined {
  return isAddress(text, { strict: true }) ? getAddress(text) : undefined;
}

const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest();
const base58check = createBase58check(sha256);

const TRON_PREFIX = 0x41;
const TRON_BYTES = 21;

function readTron(text: string): string | undefined {
  const bytes = decoded(base58check, text);
  return bytes?.length === TRON_BYTES && bytes[0] === TRON_PREFIX ? text : undefined;
}

const SOLANA_BYTES = 32;

function readSolana(text: string): string | undefined {
  return decoded(base58, text)?.length === SOLANA_BYTES ? text : undefined;
}

function decoded(coder: { decode(text: string): Uint8Array }, text: string) {
  try {
    return coder.decode(text);
  } catch {
    return undefined;
  }
}
