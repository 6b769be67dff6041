/** Where the API begins: everything below it is an endpoint of the contract or of ours. */
export const API_PREFIX = '/api';
