import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from 'jose';
import { type Static, Type } from 'typebox';
import type { Config } from '#kernel/config/config.ts';
import { Email, integerInput, oneOfWords, text } from '#kernel/http/declare/schema.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import { DEMO_KEY } from '#providers/extauth/demo-tokens.ts';
import { ALGORITHM, ISSUER, type LinkedAccount, type WireUser } from '#providers/extauth/wire.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';

export type ExtauthCredentials = Pick<Config, 'EXTAUTH_APP_ID' | 'EXTAUTH_APP_SECRET'>;

const PROVIDER = 'extauth';
const PREFIX = '/extauth';
const TTL_S = 3600;
const DAY_S = 86_400;

/** Plays Privy: issues tokens under a key of its own, publishes the key, and knows its users. */
export const extauthSimulator = (credentials: ExtauthCredentials): Simulator => ({
  provider: PROVIDER,
  prefix: PREFIX,
  wire(server, world) {
    keyEndpoint(server, world, credentials);
    userEndpoint(server, world, credentials);
  },
  controls(server, world) {
    tokenControl(server, world, credentials);
  },
});

interface SigningKey {
  readonly kid: string;
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
}

/** Made once and kept, so that tokens outlive a restart. Of several that make one the first wins. */
async function signingKey(world: World): Promise<SigningKey> {
  const known = await world.records.get<SigningKey>(PROVIDER, 'key', 'signing');
  if (known) return known;
  const pair = await generateKeyPair(ALGORITHM, { extractable: true });
  const publicJwk = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const made = { kid, publicJwk, privateJwk: await exportJWK(pair.privateKey) };
  await world.records.insert(PROVIDER, 'key', 'signing', made);
  return signingKey(world);
}

function keyEndpoint(
  server: FastifyInstance,
  world: World,
  { EXTAUTH_APP_ID: appId }: ExtauthCredentials,
): void {
  // The libraries for servers look at the first, pages of the provider's documentation name the second.
  for (const path of ['/v1/apps/:app/jwks.json', '/api/v1/apps/:app/jwks.json'])
    server.get<{ Params: { app: string } }>(path, async ({ params }, reply) => {
      if (params.app !== appId) return reply.code(404).send({ error: 'Invalid app ID' });
      const { kid, publicJwk } = await signingKey(world);
      return { keys: [{ ...publicJwk, kid, alg: ALGORITHM, use: 'sig' }, DEMO_KEY] };
    });
}

function userEndpoint(
  server: FastifyInstance,
  world: World,
  { EXTAUTH_APP_ID: appId, EXTAUTH_APP_SECRET: appSecret }: ExtauthCredentials,
): void {
  const right = `Basic ${Buffer.from(`${appId}:${appSecret}`).toString('base64')}`;
  server.get<{ Params: { id: string } }>('/v1/users/:id', async ({ params, headers }, reply) => {
    if (appSecret === '' || !sameSecret(headers.authorization ?? '', right))
      return reply.code(401).send({ error: 'Invalid app ID or app secret' });
    if (headers['privy-app-id'] !== appId)
      return reply.code(400).send({ error: 'Missing or wrong privy-app-id header' });
    const user = await world.records.get<WireUser>(PROVIDER, 'user', params.id);
    return user ?? reply.code(404).send({ error: 'User not found' });
  });
}

const NewToken = Type.Object({
  ext_user_id: text(255),
  provider: Type.String({ pattern: '^[a-z][a-z0-9_]{1,31}$' }),
  email: Type.Optional(Email),
  wallets: Type.Optional(
    Type.Array(Type.String({ pattern: '^[0-9A-Za-z]{20,64}$' }), { maxItems: 20 }),
  ),
  /** Seconds; negative for one that has expired. */
  expires_in: Type.Optional(integerInput(-365 * DAY_S, 365 * DAY_S)),
  /** An `access` token names no accounts: its verifier has to look them up. */
  kind: Type.Optional(oneOfWords(['identity', 'access'] as const)),
});
type NewToken = Static<typeof NewToken>;

/** `POST /extauth/tokens`: a person logs in at the provider. */
function tokenControl(
  server: FastifyInstance,
  world: World,
  { EXTAUTH_APP_ID: appId }: ExtauthCredentials,
): void {
  server.post<{ Body: NewToken }>(
    `${PREFIX}/tokens`,
    { schema: { body: NewToken } },
    async ({ body }) => {
      const { ext_user_id, expires_in = TTL_S, kind = 'identity' } = body;
      const now = world.clock.seconds();
      const accounts = accountsOf(body, now);
      await saveUser(world, { id: ext_user_id, created_at: now, linked_accounts: accounts });
      const { kid, privateJwk } = await signingKey(world);
      const claims =
        kind === 'access'
          ? { sid: randomUUID() }
          : {
              sid: randomUUID(),
              cr: String(now),
              linked_accounts: JSON.stringify(accounts),
            };
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid })
        .setIssuer(ISSUER)
        .setAudience(appId)
        .setSubject(ext_user_id)
        .setIssuedAt(Math.min(now, now + expires_in))
        .setExpirationTime(now + expires_in)
        .sign(await importJWK(privateJwk, ALGORITHM));
      return { token };
    },
  );
}

async function saveUser(world: World, user: WireUser): Promise<void> {
  const inserted = await world.records.insert(PROVIDER, 'user', user.id, user);
  if (!inserted)
    await world.records.update<WireUser>(PROVIDER, 'user', user.id, (before) => ({
      ...user,
      created_at: before.created_at,
    }));
}

/** What is linked: the account just logged in with is the one proven last. */
function accountsOf({ ext_user_id, provider, email, wallets }: NewToken, now: number) {
  const earlier = { lv: now - DAY_S, verified_at: now - DAY_S, latest_verified_at: now - DAY_S };
  const latest = { lv: now, verified_at: now - DAY_S, latest_verified_at: now };
  // An empty list means none; only where the list is missing a wallet is made up.
  const addresses = wallets ?? (provider === 'wallet' ? [inventAddress(ext_user_id)] : []);
  const linked: LinkedAccount[] = addresses.map((address, i) => ({
    type: 'wallet',
    address,
    chain_type: address.startsWith('0x') ? 'ethereum' : 'solana',
    wallet_client_type: 'metamask',
    connector_type: 'injected',
    ...(provider === 'wallet' && i === 0 ? latest : earlier),
  }));
  if (provider === 'email' || (provider === 'wallet' && email !== undefined))
    linked.push({
      type: 'email',
      address: email ?? `${inventAddress(ext_user_id).slice(2, 14)}@users.example`,
      ...(provider === 'email' ? latest : earlier),
    });
  if (provider !== 'email' && provider !== 'wallet')
    linked.push({
      type: SOCIAL_WITHOUT_OAUTH.includes(provider)
        ? provider
        : `${provider.replace(/_oauth$/, '')}_oauth`,
      subject: inventAddress(ext_user_id).slice(2, 22),
      ...(email === undefined ? {} : { email }),
      ...latest,
    });
  return linked;
}

const SOCIAL_WITHOUT_OAUTH = ['farcaster', 'telegram', 'passkey', 'phone', 'custom_auth'];

/** The same for the same user. */
const inventAddress = (ext_user_id: string): string =>
  `0x${createHash('sha256').update(ext_user_id).digest('hex').slice(0, 40)}`;
