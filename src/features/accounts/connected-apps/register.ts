import { randomBytes } from 'node:crypto';
import { requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import { HOUR_MS, type QuotaRule } from '#kernel/quota/quota.ts';
import { transact } from '#kernel/transact.ts';
import type { ConnectedAppDeps } from './deps.ts';
import { oauthRefusal } from './oauth-error.ts';
import { flawOfRedirect } from './redirects.ts';
import { type ConnectedApp, insertApp } from './store.ts';

/** Anybody may register: what is let in by none is forgotten after a month. */
const REGISTRATIONS: QuotaRule = {
  name: 'connected apps',
  limits: [{ per: 'network', withinMs: HOUR_MS, most: 600, strangers: 60 }],
};

/** Without a grant. */
const KEPT_MS = 30 * 24 * 3600_000;
const NAME_MAX = 80;
const REDIRECTS_MAX = 10;
const ADDRESS_MAX = 1000;

export interface SentApp {
  readonly client_name?: string | undefined;
  readonly redirect_uris: readonly string[];
}

/** A program makes itself known (RFC 7591). It has no secret: the code of each consent is proven instead. */
export function registerApp(
  { quotas, clock }: Pick<ConnectedAppDeps, 'quotas' | 'clock'>,
  db: Db,
  request: RequestFacts,
  { client_name, redirect_uris }: SentApp,
): Promise<ConnectedApp> {
  if (redirect_uris.length === 0 || redirect_uris.length > REDIRECTS_MAX)
    throw oauthRefusal('invalid_redirect_uri', `redirect_uris are 1 to ${REDIRECTS_MAX}`);
  for (const address of redirect_uris) {
    const flaw = address.length > ADDRESS_MAX ? 'is too long' : flawOfRedirect(address);
    if (flaw) throw oauthRefusal('invalid_redirect_uri', `${address.slice(0, 100)} ${flaw}`);
  }
  const name = [...(client_name ?? '').replace(/[\p{C}\p{Z}]+/gu, ' ').trim()]
    .slice(0, NAME_MAX)
    .join('')
    .trim();
  if (name === '') throw oauthRefusal('invalid_client_metadata', 'client_name is missing');
  return transact(db, async (tx) => {
    await quotas.spend(tx, REGISTRATIONS, requesterOf(null, request));
    const app_id = `app_${randomBytes(16).toString('hex')}`;
    const kept_until = new Date(clock.now().getTime() + KEPT_MS).toISOString();
    return insertApp(tx, { app_id, name, redirect_uris: [...redirect_uris], kept_until });
  });
}
