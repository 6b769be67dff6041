import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SignJWT } from 'jose';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { machineMs } from '#kernel/clock.ts';
import { refuseDryRun } from '#kernel/dry-run.ts';
import { done, type Outcome, parsed, unknown } from '#kernel/provider-call.ts';
import { callMessageProvider } from './http-sender.ts';
import { ACCESS_SCOPE, JWT_GRANT, SenderAccessToken } from './wire.ts';

export interface SenderTokens {
  /** An access token that is good for the next minute at least. */
  get(): Promise<Outcome<string>>;
  /** Says that the last one was not taken. */
  refused(): void;
}

const Account = Type.Object({
  client_email: Type.String({ minLength: 1 }),
  private_key: Type.String({ minLength: 1 }),
  token_uri: Type.String({ pattern: '^https?://' }),
});
export type ServiceAccount = Static<typeof Account>;

/** The file as Google's console gives it. Throws, without quoting it, when it is none. */
export function readSenderAccount(file: string): ServiceAccount {
  const text = readFileSync(file, 'utf8');
  const account = parsed(text);
  if (!Value.Check(Account, account)) throw new Error(`${file} is no service account`);
  return account;
}

const ASSERTION_S = 3600;
/** Fetched again so early that none runs out on its way. */
const SPARE_MS = 60_000;

/** Tokens of a service account (OAuth 2.0, RFC 7523): fetched when needed, once for all who wait. */
export function accountTokens(account: ServiceAccount): SenderTokens {
  const key = createPrivateKey(account.private_key);
  let kept = { token: '', until: 0 };
  let fetching: Promise<Outcome<string>> | undefined;

  return {
    async get() {
      if (machineMs() < kept.until) return done(kept.token);
      refuseDryRun('push token');
      fetching ??= fetch().finally(() => {
        fetching = undefined;
      });
      return fetching;
    },
    refused() {
      kept = { token: '', until: 0 };
    },
  };

  async function fetch(): Promise<Outcome<string>> {
    const outcome = await callMessageProvider(
      {
        name: 'push token',
        method: 'POST',
        url: account.token_uri,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ grant_type: JWT_GRANT, assertion: await assert() }).toString(),
      },
      SenderAccessToken,
    );
    // A key that is refused says nothing about the message, which waits until it is put right.
    if (outcome.kind === 'refused') return unknown(`token: ${outcome.code}`);
    if (outcome.kind !== 'done') return outcome;
    const { access_token: token, expires_in: seconds } = outcome.value;
    kept = { token, until: machineMs() + seconds * 1000 - SPARE_MS };
    return done(token);
  }

  /** The machine's time, not the service's, which the sandbox may have moved. */
  function assert(): Promise<string> {
    const seconds = Math.floor(machineMs() / 1000);
    return new SignJWT({ scope: ACCESS_SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(account.client_email)
      .setAudience(account.token_uri)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + ASSERTION_S)
      .sign(key);
  }
}
