import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const CONNECTED_APP_WORDS: FeatureWords = {
  tags: {
    oauth: {
      group: 'Operations',
      title: 'Connected apps',
      text: 'Programs of others that people let act for them by OAuth 2.1, such as assistants that use the MCP server.',
    },
  },
  titles: {
    'oauth.register': 'Register an app',
    'oauth.authorize': 'Allow or deny an app',
    'oauth.token': 'Get tokens',
    'oauth.revoke': 'Give up access',
    'oauth.listGrants': 'List connected apps',
    'oauth.endGrant': 'End a connected app',
  },
  descriptions: {
    'oauth.register':
      'Programs do it by themselves. There is no secret: each consent is proven by PKCE. An app that is let in by none is forgotten after a month.',
    'oauth.authorize':
      'People come to the page `/oauth/authorize` with the same fields in its address. They log in there, see what the app asks for and may leave parts of it out; then the page leads back to the app with `code`, `state` and `iss`.',
    'oauth.token':
      'A code counts once, for a minute; an access token for an hour, at the MCP server only; a refresh token once, and all of them for 90 days from the consent. A code or refresh token that comes again ends the access, except within half a minute, since an answer may have been lost.',
    'oauth.revoke': 'All tokens of that consent end. A token that is unknown is answered the same.',
    'oauth.listGrants':
      'A person sees what they have allowed and not ended. The log-ins and keys behind it are among `GET /sessions` and the keys, and end it too.',
    'oauth.endGrant':
      'A person ends it at any time. `session.revoked` and `api_key.deleted` follow.',
  },
  meanings: {
    client_id_issued_at: 'When it was registered, in seconds since 1970',
    token_endpoint_auth_method: 'Always `none`: there is no secret',
    grant_types: 'What the app may get tokens by',
    response_types: 'What the page answers',
    'AppTokens.access_token':
      'The token, for `Authorization: Bearer` at `POST /mcp-server`, without an API key',
    token_type: 'Always `Bearer`',
    'AppTokens.expires_in': 'Seconds for which the access token counts',
    'AppTokens.refresh_token': 'For the next pair',
    grant_id: 'The consent',
  },
  values: {
    'AppGrant.scopes': {
      'mcp:read': 'It sees wallets, balances, transactions and orders',
      'mcp:write': 'It makes wallets and orders, which moves no money',
      'mcp:pay': 'It pays and sends, each time after it has asked the person',
    },
  },
  places: {
    'AppGrant.name': 'Desk assistant',
    'AppGrant.place': 'assistant.example.com',
    'AppGrant.app_id': `app_${'0'.repeat(32)}`,
    'RegisteredApp.client_name': 'Desk assistant',
  },
  origins: [
    [/^oauth\.(authorize|token|revoke)\.client_id$|^oauth\.authorize$/, 'oauth.register'],
    [/^oauth\.token\.(code|code_verifier)$/, 'The page that the person came back from'],
    [/^oauth\.token\.refresh_token$|^oauth\.revoke\.token$/, 'oauth.token'],
    [/^oauth\.endGrant\.grant_id$/, 'oauth.listGrants'],
  ],
};
