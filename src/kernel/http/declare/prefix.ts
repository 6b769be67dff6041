/** Where the API begins: everything below it is an endpoint of the contract or of ours. */
export const API_PREFIX = '/api';

/** Where a resource says who gives tokens for it; its own path follows (RFC 9728). */
export const RESOURCE_FILE = '/.well-known/oauth-protected-resource';
