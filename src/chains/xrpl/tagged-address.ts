import { isXrplAddress } from './address.ts';
import { library } from './library.ts';

/** Tags are 32 bits, without a sign. */
export const TAG_MAX = 4_294_967_295;

/** Who is paid on the ledger: an account, and which of its customers. */
export interface TaggedAddress {
  /** Classic. */
  readonly address: string;
  readonly tag?: number;
}

/** Why a destination is none. */
export type DestinationFault = 'invalid' | 'main-net' | 'tags differ';

/**
 * A classic address or an X-address, which may have a tag in it (XLS-5). One of the main network is none here,
 * and a tag beside an X-address has to be the one in it.
 */
export async function readDestination(
  text: string,
  beside?: number,
): Promise<TaggedAddress | DestinationFault> {
  if (isXrplAddress(text)) return tagged(text, beside);
  const read = await readX(text);
  if (read === undefined) return 'invalid';
  const { classicAddress, tag, test } = read;
  if (!test) return 'main-net';
  if (tag !== false && beside !== undefined && tag !== beside) return 'tags differ';
  return tagged(classicAddress, tag === false ? beside : tag);
}

const tagged = (address: string, tag: number | undefined): TaggedAddress =>
  tag === undefined ? { address } : { address, tag };

async function readX(text: string) {
  if (!/^[XT][1-9A-HJ-NP-Za-km-z]{40,60}$/.test(text)) return undefined;
  const { xAddressToClassicAddress } = await library();
  try {
    return xAddressToClassicAddress(text);
  } catch {
    return undefined;
  }
}
