import { type Static, type TSchema, Type } from 'typebox';
import { jsonSetting } from '#kernel/json-setting.ts';
import { type ChainKey, isChainKey } from './chains.ts';

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
