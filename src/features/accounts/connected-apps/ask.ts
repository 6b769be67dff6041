import type { Db } from '#kernel/db/db.ts';
import { resourceOf } from './metadata.ts';
import { isRegistered, redirectWith } from './redirects.ts';
import { type AppScope, scopesIn } from './scopes.ts';
import { type ConnectedApp, findApp } from './store.ts';

/** How an app asks, as its address says it. */
export interface SentAsk {
  readonly client_id?: string | undefined;
  readonly redirect_uri?: string | undefined;
  readonly response_type?: string | undefined;
  readonly code_challenge?: string | undefined;
  readonly code_challenge_method?: string | undefined;
  readonly scope?: string | undefined;
  readonly state?: string | undefined;
  readonly resource?: string | undefined;
}

/** What an app asks a person for. */
export interface AppAsk {
  readonly app: ConnectedApp;
  readonly redirect_uri: string;
  readonly code_challenge: string;
  readonly scopes: readonly AppScope[];
  readonly state: string | undefined;
}

/** It is not known who asks, or where to go back to: that address learns nothing. */
export interface UnknownAsk {
  readonly unknown: 'app' | 'redirect';
}

/** The app is known, and learns at its own address what is wrong. */
export interface WrongAsk {
  readonly app: ConnectedApp;
  readonly wrong: string;
  readonly back: string;
}

const STATE_MAX = 2000;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

export async function readAsk(
  { db, publicUrl }: { readonly db: Db; publicUrl(): string },
  sent: SentAsk,
): Promise<AppAsk | UnknownAsk | WrongAsk> {
  const app = sent.client_id === undefined ? undefined : await findApp(db, sent.client_id);
  if (!app) return { unknown: 'app' };
  const redirect_uri = sent.redirect_uri ?? onlyOf(app.redirect_uris);
  if (redirect_uri === undefined || !isRegistered(app.redirect_uris, redirect_uri))
    return { unknown: 'redirect' };
  const state = sent.state?.slice(0, STATE_MAX);
  const scopes = scopesIn(sent.scope);
  const { code_challenge = '' } = sent;
  const wrong = flawOf(sent, scopes, publicUrl());
  if (wrong !== undefined || scopes === undefined) {
    const [error, error_description] = wrong ?? ['invalid_scope', 'Unknown scope'];
    const iss = publicUrl();
    const back = redirectWith(redirect_uri, { error, error_description, state, iss });
    return { app, wrong: error_description, back };
  }
  return { app, redirect_uri, code_challenge, scopes, state };
}

const onlyOf = (addresses: readonly string[]): string | undefined =>
  addresses.length === 1 ? addresses[0] : undefined;

function flawOf(
  { response_type, code_challenge = '', code_challenge_method, resource }: SentAsk,
  scopes: readonly AppScope[] | undefined,
  here: string,
): readonly [string, string] | undefined {
  if (response_type !== 'code')
    return ['unsupported_response_type', 'response_type has to be code'];
  if (code_challenge_method !== 'S256' || !CHALLENGE.test(code_challenge))
    return ['invalid_request', 'code_challenge has to be there, by S256'];
  if (resource !== undefined && !isOurs(resource, here))
    return ['invalid_target', `resource has to be ${resourceOf(here)}`];
  return scopes === undefined ? ['invalid_scope', 'scope has an unknown word'] : undefined;
}

/** Whether a token for that is one for us. */
export const isOurs = (resource: string, here: string): boolean =>
  resource.replace(/\/$/, '') === resourceOf(here);
