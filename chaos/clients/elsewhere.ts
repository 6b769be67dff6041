import { parsed, textOf } from './answer.ts';
import { type ClientDeps, Open } from './client.ts';
import type { Scene } from './play.ts';

const TIMEOUT_MS = 10_000;
const CONFLICT = 409;

/**
 * A person's actions at the sandbox. It may be unreachable, or not know the object yet: then later. A conflict means
 * that it is done: by an earlier try, or in mock mode by itself.
 */
export const elsewhereAt =
  (sandbox: () => string): Scene['elsewhere'] =>
  async (path, body) => {
    const reply = await fetch(`${sandbox()}${path}`, {
      method: 'POST',
      ...(body && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => undefined);
    if (!reply?.ok && reply?.status !== CONFLICT)
      throw new Open(`${path}: ${reply?.status ?? 'no answer'}`);
    return parsed(await reply.text().catch(() => ''));
  };

/** A successful call is not repeated, for any caller: by path and body. */
export function onceElsewhereFrom(elsewhere: Scene['elsewhere']): Scene['onceElsewhere'] {
  const done = new Map<string, unknown>();
  return async (path, body, isEnough = () => true) => {
    const name = `${path} ${JSON.stringify(body)}`;
    if (done.has(name)) return done.get(name);
    const answer = await elsewhere(path, body);
    if (isEnough(answer)) done.set(name, answer);
    return answer;
  };
}

/** Reads by the first process that answers. All may be down: then later. */
export const lookAt =
  ({ servers, apiKey }: Pick<ClientDeps, 'servers' | 'apiKey'>): Scene['look'] =>
  async (path, token) => {
    for (const server of servers) {
      const reply = await fetch(`${server.api()}${path}`, {
        headers: { 'x-api-key': apiKey, authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch(() => undefined);
      const text = await reply?.text().catch(() => undefined);
      if (reply?.ok && text !== undefined) return parsed(text);
    }
    throw new Open(`${path}: no answer`);
  };

/** One for each name: a person's token is in the body of a request, which must not change. */
export function publicTokensFrom(elsewhere: Scene['elsewhere']): Scene['publicToken'] {
  const known = new Map<string, string>();
  return async (name) => {
    const token =
      known.get(name) ?? textOf(await elsewhere('/banklink/public-tokens', {}), 'public_token');
    known.set(name, token);
    return token;
  };
}
