import { randomUUID } from 'node:crypto';
import { completeLogIn, type Login, logInByPassword } from '#features/accounts/sign-in/sign-in.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { OpenedSession } from '#kernel/access/sessions.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError, type Code } from '#kernel/error.ts';
import type { Html } from '#kernel/http/declare/html.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import type { PageLanguage } from '#kernel/http/pages/language.ts';
import { digestOf, newToken } from '#kernel/secrets/token.ts';
import { type AppAsk, readAsk, type SentAsk } from './ask.ts';
import { amissPage, backPage, consentPage, fieldOf, unknownPage } from './consent-page.ts';
import type { ConnectedAppDeps } from './deps.ts';
import { redirectWith } from './redirects.ts';
import { type AppScope, LEAST_SCOPE } from './scopes.ts';
import { insertGrant } from './store.ts';
import type { ConsentObstacle } from './texts.ts';

/** What the form sends. */
export interface SentConsent {
  readonly decision?: string | undefined;
  readonly usernameoremail?: string | undefined;
  readonly password?: string | undefined;
  readonly code?: string | undefined;
  readonly may_write?: string | undefined;
  readonly may_pay?: string | undefined;
}

interface Asked {
  readonly db: Db;
  readonly request: RequestFacts;
  readonly sent: SentAsk;
  readonly language: PageLanguage;
}

/** What a person has decided, who logs in by the same press. */
export async function answerConsent(
  deps: ConnectedAppDeps,
  { db, request, sent, language }: Asked,
  form: SentConsent,
): Promise<Html> {
  const ask = await readAsk({ ...deps, db }, sent);
  if ('unknown' in ask) return unknownPage(ask, language);
  if ('wrong' in ask) return amissPage(ask, language);
  const { redirect_uri, state } = ask;
  const iss = deps.publicUrl();
  if (form.decision !== 'allow')
    return backPage(
      'denied',
      redirectWith(redirect_uri, { error: 'access_denied', state, iss }),
      language,
    );
  const scopes = ask.scopes.filter((scope) => scope === LEAST_SCOPE || isTicked(form, scope));
  const outcome = await allow(deps, db, { request, ask: { ...ask, scopes } }, form);
  if ('code' in outcome)
    return backPage(
      'allowed',
      redirectWith(redirect_uri, { code: outcome.code, state, iss }),
      language,
    );
  const { usernameoremail: name } = form;
  return consentPage(ask, language, { sent, name, scopes, ...outcome });
}

const isTicked = (form: SentConsent, scope: AppScope): boolean =>
  (form as Readonly<Record<string, string | undefined>>)[fieldOf(scope)] !== undefined;

interface Allowing {
  readonly request: RequestFacts;
  readonly ask: AppAsk;
}

type Outcome = { readonly code: string } | { readonly obstacle: ConsentObstacle };

const OBSTACLES: Partial<Record<Code, ConsentObstacle>> = {
  INVALID_CREDENTIALS: 'wrong',
  INVALID_CODE: 'wrongCode',
  ACCOUNT_NOT_ACTIVE: 'inactive',
  FORBIDDEN: 'inactive',
  RATE_LIMITED: 'busy',
};

async function allow(
  deps: ConnectedAppDeps,
  db: Db,
  { request, ask }: Allowing,
  { usernameoremail: name, password, code }: SentConsent,
): Promise<Outcome> {
  if (name === undefined || password === undefined) return { obstacle: 'wrong' };
  const openForApp = (tx: Db, login: Login) => openGrant(deps, tx, { request, ask, login });
  const entering = { key: null, request, openForApp };
  try {
    const half = await logInByPassword(deps, db, entering, { name, password });
    if (half.token !== undefined) return { code: half.token };
    if (code === undefined) return { obstacle: 'code' };
    const { user_id } = half.login;
    return { code: (await completeLogIn(deps, db, entering, { user_id, code })).token };
  } catch (error) {
    const obstacle = error instanceof AppError ? OBSTACLES[error.code] : undefined;
    if (obstacle === undefined) throw error;
    return { obstacle };
  }
}

const CODE_LIVES_S = 60;

/** Writes down what was allowed; the token is the code that the app gets for it, once. */
async function openGrant(
  { clock }: ConnectedAppDeps,
  tx: Db,
  { request, ask, login }: Allowing & { readonly login: Login },
): Promise<OpenedSession> {
  const { app, scopes, code_challenge, redirect_uri } = ask;
  const { user_id } = login;
  const { client_id } = login.client;
  const now = clock.now();
  const grant_id = randomUUID();
  const code = `oac_${newToken().token}`;
  await insertGrant(tx, {
    grant_id,
    app_id: app.app_id,
    client_id,
    user_id,
    scopes: [...scopes],
    code_digest: digestOf(code),
    code_challenge,
    redirect_uri,
    created_at: now,
    expires_at: new Date(now.getTime() + CODE_LIVES_S * 1000),
  });
  const details = { grant_id, app: app.name, app_id: app.app_id, scopes };
  await logActivity(tx, { action: 'APP_ALLOWED', actor: { user_id, client_id }, details, request });
  return { token: code, session_id: grant_id, lives_s: CODE_LIVES_S };
}
