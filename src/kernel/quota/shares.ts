import type { Kysely } from 'kysely';
import type { Config } from '#kernel/config/config.ts';
import { isApproved, type Requester, requesterOf } from '../access/requester.ts';
import type { DB } from '../db/schema.generated.ts';
import { type AppError, fail } from '../error.ts';
import type { Auth, Caller } from '../http/declare/route.ts';
import { networkOf } from '../network.ts';
import { type Ceiling, createCeiling, type PlaceHolder } from './ceiling.ts';
import { CEILINGS, type CeilingName } from './ceilings.ts';

export interface CeilingShares {
  readonly ceilings: Readonly<Record<CeilingName, Ceiling>>;
  /**
   * Takes a place for a caller; the answer gives it back. Throws RATE_LIMITED where the share of the caller, their
   * client or their network is used up, and OVERLOADED where that of all strangers or the whole is.
   */
  enter(name: CeilingName, by: PlaceRequester): Promise<() => void>;
}

/** The caller of an endpoint, or the requester that a cost is counted against. */
export type PlaceRequester =
  | { readonly caller: Caller<Auth>; readonly ip: string }
  | { readonly requester: Requester };

interface ShareDeps {
  readonly db: Kysely<DB>;
  readonly config: Pick<Config, 'MOCK_MODE'>;
  /** How many files and sockets this process may have open. */
  readonly files: number;
}

export function createShares({ db, config, files }: ShareDeps): CeilingShares {
  const ceilings = Object.fromEntries(
    Object.entries(CEILINGS).map(([name, rule]) => [name, createCeiling(rule, files)]),
  ) as Readonly<Record<CeilingName, Ceiling>>;
  return {
    ceilings,
    async enter(name, by) {
      const requester = 'requester' in by ? by.requester : requesterOf(by.caller, by);
      // Mock mode is not reachable from outside and approves everybody.
      const approved = config.MOCK_MODE || (await isApproved(db, requester));
      const taken = ceilings[name].take(holderOf(requester, approved));
      if (typeof taken === 'function') return taken;
      throw refusal(name, taken);
    },
  };
}

function holderOf({ ip, actor, client_id, key_id }: Requester, isApproved: boolean): PlaceHolder {
  const network = networkOf(ip);
  const key = typeof key_id === 'number' ? `key:${key_id}` : network;
  const client = typeof client_id === 'number' ? `client:${client_id}` : key;
  return { one: actor ?? key, client, network, isApproved };
}

const AGAIN_S = 5;
const OWNERS = { one: 'log-in or key', client: 'client', network: 'network' } as const;

function refusal(
  name: CeilingName,
  { full, most }: Exclude<ReturnType<Ceiling['take']>, () => void>,
): AppError {
  const { what } = CEILINGS[name];
  if (full === 'all' || full === 'strangers')
    return fail('OVERLOADED', `Too many ${what} at once, try again shortly`, {
      retryAfter: AGAIN_S,
      outcome: 'not-begun',
    });
  const owner = OWNERS[full];
  return fail('RATE_LIMITED', `No more than ${most} ${what} at once`, {
    retryAfter: AGAIN_S,
    details: { limit: most, counted_by: full === 'one' ? 'caller' : full, retry_after: AGAIN_S },
    hint: `Each ${owner} has ${most} ${what} at a time: end one, or wait until one has ended.`,
  });
}
