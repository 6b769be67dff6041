import { type Db, run } from '../db/db.ts';
import { digestOf } from '../secrets/token.ts';

/** The beginning of an access token that a person has let an app have, by OAuth. */
export const APP_TOKEN_PREFIX = 'oat_';

/** The key and the log-in behind such a token. Neither is ever handed out. */
export interface AppToken {
  /** In hexadecimal digits. */
  readonly key_hash: string;
  readonly session_id: string;
}

/** Nothing for a token that is unknown, has ended, or whose grant has. */
export async function findAppToken(db: Db, token: string): Promise<AppToken | undefined> {
  const [row] = await run<AppToken>(
    db,
    `select encode(k.key_hash, 'hex') as key_hash, g.session_id
       from oauth_tokens t join oauth_grants g using (grant_id) join api_keys k using (key_id)
      where t.digest = $1 and t.kind = 'access' and t.expires_at > service_now() and g.ended_at is null`,
    [digestOf(token)],
  );
  return row;
}
