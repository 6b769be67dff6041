import { Type } from 'typebox';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type RequestFacts, type Route } from '#kernel/http/declare/route.ts';
import { explained, HtmlPage, Nothing, nameInput, text } from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import { pageLanguage } from '#kernel/http/pages/language.ts';
import type { SentAsk } from './ask.ts';
import { answerConsent } from './consent.ts';
import type { ConnectedAppDeps } from './deps.ts';
import { oauthEnvelope, oauthRefusal } from './oauth-error.ts';
import { registerApp } from './register.ts';
import { APP_SCOPES } from './scopes.ts';
import { exchangeCode, refreshPair, revokeToken, type TokenPair } from './tokens.ts';

const endpoint = endpoints(oauthEnvelope);

const APP_ID = `app_${'5f3a9c0e'.repeat(4)}`;
const CALLBACK = 'https://assistant.example.com/callback';
const CODE = `oac_${'7d1e4b92'.repeat(8)}`;
const REFRESH = `ort_${'2c8f06da'.repeat(8)}`;
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const like = (example: string) => Type.String({ examples: [example] });

const field = (description: string, most = 2000) =>
  Type.Optional(explained(Type.String({ maxLength: most }), description));

/** OAuth 2.1 for programs that people let in: the Model Context Protocol asks for it. */
export const connectedAppRoutes = (deps: ConnectedAppDeps): Route[] => [
  registerRoute(deps),
  consentRoute(deps),
  tokenRoute(deps),
  revokeRoute(deps),
];

const registerRoute = (deps: ConnectedAppDeps): Route =>
  endpoint('POST /oauth/register', {
    name: 'oauth.register',
    auth: 'public',
    summary: 'A program makes itself known, before it asks people to let it in (RFC 7591)',
    body: Type.Object({
      client_name: Type.Optional(explained(nameInput(80), 'What people read when it asks them')),
      redirect_uris: explained(
        Type.Array(text(2000), { maxItems: 50 }),
        'Where people go back to: https, a loopback address, or a scheme of the program’s own',
      ),
    }),
    example: {
      client_name: 'Desk assistant',
      redirect_uris: [CALLBACK],
    },
    reply: {
      201: named('RegisteredApp', {
        client_id: like(APP_ID),
        client_id_issued_at: Type.Integer(),
        client_name: Type.String(),
        redirect_uris: Type.Array(like(CALLBACK)),
        token_endpoint_auth_method: Type.Literal('none'),
        grant_types: Type.Array(like('authorization_code')),
        response_types: Type.Array(like('code')),
        scope: like(APP_SCOPES.join(' ')),
      }),
    },
    fault: 'Failed to register the app',
    async handler({ body, request, db }) {
      const { app_id, name, redirect_uris, created_at } = await registerApp(
        deps,
        db,
        request,
        body,
      );
      return {
        client_id: app_id,
        client_id_issued_at: Math.floor(new Date(created_at).getTime() / 1000),
        client_name: name,
        redirect_uris,
        token_endpoint_auth_method: 'none' as const,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        scope: APP_SCOPES.join(' '),
      };
    },
  });

const ASK = {
  client_id: field('Of the program, from its registration', 100),
  redirect_uri: field('Where the person goes back to'),
  response_type: field('Always `code`', 40),
  code_challenge: field('SHA-256 of the verifier, in base64url (RFC 7636)', 200),
  code_challenge_method: field('Always `S256`', 40),
  scope: field('Words of `scopes_supported`; all without it'),
  state: field('Given back as it is'),
  resource: field('The address of the MCP server'),
};

const consentRoute = (deps: ConnectedAppDeps): Route =>
  endpoint('POST /oauth/authorize', {
    name: 'oauth.authorize',
    auth: 'public',
    takesForm: true,
    summary: 'What the form of the consent page sends: who lets which app in, for what',
    query: Type.Object({ lang: field('The language of the page', 10) }),
    body: named('AppConsent', {
      ...ASK,
      decision: field('`allow`; all else denies', 40),
      usernameoremail: field('Who lets it in', 254),
      password: field('Of that person', 1024),
      code: field('Of the authenticator, where there is a second factor', 40),
      may_read: field('It always may', 10),
      may_write: field('Whether the app gets that scope', 10),
      may_pay: field('Whether the app gets that scope', 10),
    }),
    example: {
      client_id: APP_ID,
      redirect_uri: CALLBACK,
      response_type: 'code',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      decision: 'allow',
    },
    reply: { 200: HtmlPage, 400: HtmlPage, 401: HtmlPage, 403: HtmlPage, 429: HtmlPage },
    neverRepeated: true,
    fault: 'Failed to let the app in',
    handler: ({ body, query, request, db }) => {
      const { decision, usernameoremail, password, code, may_write, may_pay, ...rest } = body;
      const form = { decision, usernameoremail, password, code, may_write, may_pay };
      const language = languageOf(query.lang, request);
      return answerConsent(deps, { db, request, sent: askIn(rest), language }, form);
    },
  });

const languageOf = (named: string | undefined, { headers }: RequestFacts) =>
  pageLanguage(named, headers['accept-language']);

const ASKED = Object.keys(ASK) as (keyof typeof ASK)[];

/** Of a query or a form the fields of the question. */
export const askIn = (given: Readonly<Partial<Record<keyof typeof ASK, string>>>): SentAsk =>
  Object.fromEntries(
    ASKED.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );

const tokenRoute = (deps: ConnectedAppDeps): Route =>
  endpoint('POST /oauth/token', {
    name: 'oauth.token',
    auth: 'public',
    limit: 'authenticated',
    takesForm: true,
    summary: 'Tokens for the code of a consent, or for a refresh token',
    body: named('AppTokenRequest', {
      grant_type: explained(text(40), '`authorization_code` or `refresh_token`'),
      client_id: explained(text(100), 'Of the program, from its registration'),
      code: field('That the person came back with; it counts once, for a minute', 200),
      code_verifier: field('What the challenge was made of', 200),
      redirect_uri: field('The same as in the question'),
      refresh_token: field('It counts once', 200),
      resource: field('The address of the MCP server'),
    }),
    example: {
      grant_type: 'authorization_code',
      client_id: APP_ID,
      code: CODE,
      code_verifier: VERIFIER,
      redirect_uri: CALLBACK,
    },
    reply: {
      200: named('AppTokens', {
        access_token: secret(like(`oat_${'9b40e7f1'.repeat(8)}`)),
        token_type: Type.Literal('Bearer'),
        expires_in: Type.Integer(),
        refresh_token: secret(like(REFRESH)),
        scope: like(APP_SCOPES.join(' ')),
      }),
    },
    neverRepeated: true,
    fault: 'Failed to give a token',
    handler: ({ body, db }): Promise<TokenPair> => {
      const { grant_type, client_id, code, code_verifier, refresh_token, ...where } = body;
      if (grant_type === 'authorization_code') {
        if (code === undefined || code_verifier === undefined)
          throw oauthRefusal('invalid_request', 'code and code_verifier are missing');
        return exchangeCode(deps, db, { client_id, code, code_verifier, ...where });
      }
      if (grant_type !== 'refresh_token')
        throw oauthRefusal('unsupported_grant_type', 'grant_type is not one of those');
      if (refresh_token === undefined)
        throw oauthRefusal('invalid_request', 'refresh_token is missing');
      return refreshPair(deps, db, { client_id, refresh_token, resource: where.resource });
    },
  });

const revokeRoute = (deps: ConnectedAppDeps): Route =>
  endpoint('POST /oauth/revoke', {
    name: 'oauth.revoke',
    auth: 'public',
    limit: 'authenticated',
    takesForm: true,
    summary: 'A program gives up its access, by any token of it (RFC 7009)',
    body: named('AppTokenRevocation', {
      token: explained(text(200), 'An access token or a refresh token'),
      client_id: field('Of the program', 100),
      token_type_hint: field('It is found without', 40),
    }),
    example: { token: REFRESH },
    reply: { 200: Nothing },
    fault: 'Failed to end the access',
    async handler({ body: { token }, db }) {
      await revokeToken(deps, db, token);
      return {};
    },
  });
