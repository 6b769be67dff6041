import type { ApiKey } from '../http/route.ts';
import { networkOf } from './network.ts';

/** Who asks for a code, as far as can be told before it has proven anything. */
export interface Asker {
  readonly key: Pick<ApiKey, 'key_id'> | null;
  readonly ip: string;
}

/**
 * The same for one API key in one network. A code belongs to its asker: nobody else uses it, uses its
 * tries up or has it replaced, so that no stranger keeps anybody from using theirs.
 */
export const askerOf = ({ key, ip }: Asker): string => `${key?.key_id ?? '-'} ${networkOf(ip)}`;
