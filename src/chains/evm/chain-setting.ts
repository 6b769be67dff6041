import { type Static, type TSchema, Type } from 'typebox';
import { type Address, isAddress } from 'viem';
import { type Config, SETTINGS } from '#kernel/config/config.ts';
import { jsonSetting } from '#kernel/json-setting.ts';
import { type ChainKey, isChainKey } from './chains.ts';

/** In mixed case the checksum has to be right: a mistyped digit is somebody else's address. */
export const AddressSetting = Type.Refine(
  Type.Unsafe<Address>({ type: 'string' }),
  (text) => isAddress(text),
  () => 'must be 0x and 40 hexadecimal digits, whose case is its checksum (EIP-55)',
);

/** Reads a setting that is JSON by chain. Throws an error for the operator to read. */
export function chainSetting<S extends TSchema>(
  name: string,
  shape: S,
  text: string | undefined,
): Partial<Record<ChainKey, Static<S>>> {
  if (text === undefined) return {};
  const read = jsonSetting(name, Type.Record(Type.String(), shape), text);
  const stranger = Object.keys(read).find((key) => !isChainKey(key));
  if (stranger === undefined) return read as Partial<Record<ChainKey, Static<S>>>;
  throw new Error(`Bad configuration: ${name}/${stranger} is no chain of table chains`);
}

type RpcSetting = Extract<keyof Config, `EVM_${string}_RPC_URL` | 'EVM_RPC_URLS'>;

/** The setting that says where a chain's node is: the contract's chains have one each. */
export function rpcSetting(key: ChainKey): RpcSetting {
  const own = `EVM_${key.toUpperCase()}_RPC_URL`;
  return Object.hasOwn(SETTINGS, own) ? (own as RpcSetting) : 'EVM_RPC_URLS';
}
