import { Html } from '#kernel/http/declare/html.ts';
import { API_PREFIX, RESOURCE_FILE } from '#kernel/http/declare/prefix.ts';
import type { Page } from '#kernel/http/pages/pages.ts';
import { APP_SCOPES } from './scopes.ts';

/** The one thing that apps get tokens for. */
const RESOURCE_PATH = `${API_PREFIX}/mcp-server`;
export const AUTHORIZE_PAGE = '/oauth/authorize';

export const resourceOf = (here: string): string => `${here}${RESOURCE_PATH}`;

/** Files by which a program finds out how it is let in: RFC 9728 and RFC 8414. */
export const metadataFiles = (publicUrl: () => string): Page[] => [
  // Some look beside the origin's other files only.
  file(RESOURCE_FILE, () => resource(publicUrl())),
  file(`${RESOURCE_FILE}${RESOURCE_PATH}`, () => resource(publicUrl())),
  file('/.well-known/oauth-authorization-server', () => server(publicUrl())),
];

const file = (path: `/${string}`, content: () => object): Page => ({
  path,
  type: 'application/json',
  render: () => new Html(200, JSON.stringify(content())),
});

const resource = (here: string) => ({
  resource: resourceOf(here),
  authorization_servers: [here],
  scopes_supported: APP_SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Archipay',
  resource_documentation: `${here}/docs`,
});

const server = (here: string) => ({
  issuer: here,
  authorization_endpoint: `${here}${AUTHORIZE_PAGE}`,
  token_endpoint: `${here}${API_PREFIX}/oauth/token`,
  registration_endpoint: `${here}${API_PREFIX}/oauth/register`,
  revocation_endpoint: `${here}${API_PREFIX}/oauth/revoke`,
  scopes_supported: APP_SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${here}/docs`,
});
