import type { Config } from '#kernel/config/config.ts';
import type { Clock } from '../clock.ts';
import { type Db, run } from '../db/db.ts';
import { fail } from '../error.ts';
import type { AnyEndpoint, UserCaller } from '../http/declare/route.ts';
import type { KnownSession } from './credential-cache.ts';

/** The method of a log-in to the console whose second factor is still to be set up. */
export const SETTING_UP = 'console-setup';
/** How long a proof counts: a log-in, or a password or code sent since. In milliseconds. */
export const PROOF_LIVES_MS = 5 * 60_000;
/** Methods of log-ins that a code of a second factor has completed; the console knows its own. */
const BY_SECOND_FACTOR: readonly string[] = ['totp', 'backup-code', 'console'];

/** What is asked of the operator's admins beyond their role, whichever way they come in (decisions: the console). */
export interface OperatorGuard {
  /**
   * Throws SECOND_FACTOR_REQUIRED where OPERATOR_2FA asks for a second factor and this log-in was made
   * without one, unless the endpoint serves to set it up; and STEP_UP_REQUIRED where a log-in by key and
   * token needs a fresh proof. Others pass.
   */
  admit(
    endpoint: AnyEndpoint,
    caller: UserCaller,
    session: Pick<KnownSession, 'method' | 'second_factor'>,
  ): undefined | Promise<undefined>;
}

interface GuardDeps {
  readonly config: Pick<Config, 'OPERATOR_2FA' | 'MOCK_MODE'>;
  readonly db: Db;
  readonly clock: Clock;
}

export function createOperatorGuard({ config, db, clock }: GuardDeps): OperatorGuard {
  const isRequired = config.OPERATOR_2FA === 'required';
  return {
    admit(endpoint, caller, session) {
      // A log-in to the console whose second factor is still to be set up is anybody's.
      if (!caller.operator && session.method !== SETTING_UP) return undefined;
      if (!opensWithoutFactor(endpoint) && lacksFactor(isRequired, session))
        throw fail('SECOND_FACTOR_REQUIRED', 'An admin of the operator needs a second factor here');
      if (endpoint.proof === undefined || config.MOCK_MODE) return undefined;
      // The console asks at its own door, and a body that holds the proof is read by the handler.
      if (caller.via === 'console' || provesInBody(endpoint)) return undefined;
      return requireFresh(db, caller.session_id, clock.now());
    },
  };
}

const opensWithoutFactor = ({ console, setUp }: AnyEndpoint): boolean =>
  console === 'set-up' || setUp === true;

function lacksFactor(
  isRequired: boolean,
  { method, second_factor }: Pick<KnownSession, 'method' | 'second_factor'>,
): boolean {
  if (method === SETTING_UP) return true;
  return isRequired && !(second_factor && BY_SECOND_FACTOR.includes(method));
}

const provesInBody = ({ body }: AnyEndpoint): boolean =>
  'current_password' in ((body as { properties?: object } | undefined)?.properties ?? {});

/** Reads the session again: another process may have taken its proof, and an ended session proves nothing. */
async function requireFresh(db: Db, session_id: string, now: Date): Promise<undefined> {
  const since = new Date(now.getTime() - PROOF_LIVES_MS);
  const fresh = await run(
    db,
    `select from sessions where session_id = $1 and revoked_at is null
        and greatest(created_at, proved_at) >= $2`,
    [session_id, since],
  );
  if (fresh.length > 0) return undefined;
  throw fail('STEP_UP_REQUIRED', 'Prove once more that it is you, to do this', {
    hint: 'Log in again, or send current_password or two_fa_token to POST /sessions/prove, and repeat the request.',
  });
}
